package dev.penstock.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.nio.charset.Charset;

/// The process's real standard error, when the launcher has set it aside.
///
/// Java announces incubating modules on standard error before `main` runs. The launcher drops that
/// line by starting Java with a filtering pipe as descriptor 2; the real stream waits under the
/// descriptor that the property `penstock.stderr` names. Without the property nothing is to be
/// done.
final class StandardError {
    private static final String PROPERTY = "penstock.stderr";

    private StandardError() {}

    /// Makes `System.err` the real standard error again; to be called before anything is printed.
    ///
    /// If that fails, `System.err` stays the pipe, which also ends at the real standard error.
    static void restore() {
        Integer number = Integer.getInteger(PROPERTY);
        if (number == null) {
            return;
        }
        try {
            // There is no public way to name a descriptor; the launcher opens java.io for this.
            Constructor<FileDescriptor> byNumber =
                    FileDescriptor.class.getDeclaredConstructor(int.class);
            byNumber.setAccessible(true);
            FileOutputStream stream = new FileOutputStream(byNumber.newInstance(number));
            Charset charset =
                    Charset.forName(
                            System.getProperty("stderr.encoding"), Charset.defaultCharset());
            System.setErr(new PrintStream(stream, true, charset));
        } catch (ReflectiveOperationException | RuntimeException e) {
            // Not worth a word: output arrives all the same, only not as on a terminal.
            return;
        }
    }
}
