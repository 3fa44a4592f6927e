package dev.penstock.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A measurement that is interrupted leaves neither processes nor folders. */
final class AtExitTest {
    @TempDir private Path folder;

    @Test
    void the_latest_goes_first_and_what_is_over_not_at_all() {
        AtExit atExit = new AtExit();
        List<String> done = new ArrayList<>();
        try (AtExit.Task _ = atExit.add(() -> done.add("over"))) {
            assertThat(done).isEmpty();
        }
        atExit.add(() -> done.add("folder"));
        atExit.add(() -> {
            done.add("server");
            // As of the command that stops it.
            atExit.add(() -> done.add("command")).close();
        });
        atExit.end();
        assertThat(done).containsExactly("server", "folder");
    }

    @Test
    void nothing_begins_any_more() throws Exception {
        AtExit atExit = new AtExit();
        atExit.end();
        CompletableFuture<@Nullable Void> begun = new CompletableFuture<>();
        Thread next =
                Thread.ofPlatform()
                        .start(() -> {
                            atExit.add(() -> {});
                            begun.complete(null);
                        });
        while (next.getState() != Thread.State.WAITING && next.isAlive()) {
            Thread.onSpinWait();
        }
        assertThat(begun).isNotDone();
        next.interrupt();
        next.join();
    }

    @Test
    void a_process_is_told_to_end() throws Exception {
        Process process = new ProcessBuilder("sleep", "600").start();
        ChildProcess.stop(process, 10);
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void a_folder_is_removed_with_what_is_in_it() throws Exception {
        Path inner = Files.createDirectories(folder.resolve("work/store"));
        Files.writeString(inner.resolve("data"), "1");
        Folders.deleteInUse(folder.resolve("work"));
        assertThat(folder.resolve("work")).doesNotExist();
    }
}
