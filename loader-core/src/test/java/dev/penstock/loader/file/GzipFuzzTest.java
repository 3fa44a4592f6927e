package dev.penstock.loader.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.fake.Mutations;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;

/**
 * Compressed files that were changed: their text is that of whole members, or reading them is an
 * error that says so. A change may make another file that is whole, as one whose first header
 * claims the members after it as an extra field of its own; then the text is what {@link
 * GzipReference} finds in it.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
final class GzipFuzzTest {
    private static final String NAME = "some.gz";

    /** More than any text here has. */
    private static final int TEXT_BYTES = 1 << 12;

    /** A file, and all texts that its whole members make from the first one on. */
    private record Whole(byte[] file, List<String> texts) {}

    private static Whole whole(String... members) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        List<String> texts = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (String member : members) {
            try (OutputStream gzip = new GZIPOutputStream(file)) {
                gzip.write(member.getBytes(StandardCharsets.US_ASCII));
            }
            texts.add(text.append(member).toString());
        }
        return new Whole(file.toByteArray(), texts);
    }

    private static String read(byte[] file, byte[] target) {
        try (TextStream stream = TextStream.open(NAME, new ByteArrayInputStream(file), true)) {
            int length = stream.read(target, 0, target.length);
            return new String(target, 0, length, StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void changed_members_are_whole_or_an_error() throws IOException {
        List<Whole> good =
                List.of(
                        whole("1,a\n"),
                        whole("1,a\n2,", "b\n3,c\n"),
                        whole("1,a\n".repeat(90), "", "2,b\n"));
        Random random = new Random(Mutations.SEED);
        byte[] target = new byte[TEXT_BYTES];
        long refused = 0;
        long others = 0;
        for (long n = 0; n < Mutations.EXECUTIONS; n++) {
            Whole one = good.get(random.nextInt(good.size()));
            byte[] file = Mutations.of(one.file(), random);
            // What does not begin as gzip does is no gzip but some text.
            if (Compression.of(file, file.length) != Compression.GZIP) {
                file = Arrays.copyOf(one.file(), random.nextInt(one.file().length - 4) + 4);
            }
            try {
                String text = read(file, target);
                if (!one.texts().contains(text)) {
                    assertThat(GzipReference.text(file)).contains(text);
                    others++;
                }
            } catch (PenstockException e) {
                refused++;
                assertThat(e.category()).isEqualTo(ErrorCategory.IO);
                assertThat(e).hasMessageContaining(NAME);
            } catch (RuntimeException | Error e) {
                throw new AssertionError(n + ": " + HexFormat.of().formatHex(file), e);
            }
        }
        System.out.printf(
                "fuzz: gzip: %d executions, %d refused, %d other whole files, seed %d,"
                        + " 0 violations%n",
                Mutations.EXECUTIONS, refused, others, Mutations.SEED);
        assertThat(refused).isPositive();
    }

    @Test
    void a_header_may_claim_the_members_after_it() {
        byte[] file =
                HexFormat.of()
                        .parseHex(
                                "1f8b0805b066159ffb3322000000000000ff33d449e4321cc534c70005e618e5"
                                        + "680100001f8b08000000000000ff030000000000000000001f8b0800"
                                        + "0000000000ef33d249e2020089b02ffd04000000");
        assertThat(GzipReference.text(file)).contains("2,b\n");
        assertThat(read(file, new byte[TEXT_BYTES])).isEqualTo("2,b\n");
        byte[] cut = Arrays.copyOf(file, file.length - 1);
        assertThat(GzipReference.text(cut)).isEmpty();
    }

    @Test
    void a_header_with_flags_that_nobody_has_defined_is_refused() {
        byte[] file =
                HexFormat.of()
                        .parseHex(
                                "1f8b08449603125eee5424000000000000ff33d449e432d201008c9a708e067c"
                                        + "dbadf70000001f8b08000000000000ff4be232d649e60200e22e82c3"
                                        + "06000000");
        assertThat(GzipReference.text(file)).isEmpty();
        assertThatThrownBy(() -> read(file, new byte[TEXT_BYTES]))
                .hasMessageContaining("a header asks for what is not gzip");
    }
}
