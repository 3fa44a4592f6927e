package dev.penstock.loader.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;

import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;

/** Compressed inputs are read to their very end, or an error. */
class TextStreamTest {
    @Test
    void gzipMembersAreOneText() throws IOException {
        byte[] all = join(gzip("1,a\n2,"), gzip(""), gzip("b\n3,c\n"), gzip(""));
        assertThat(text(all)).isEqualTo("1,a\n2,b\n3,c\n");
    }

    @Test
    void zstdFramesAreOneText() {
        byte[] all = join(Zstd.compress(bytes("1,a\n2,")), Zstd.compress(bytes("b\n3,c\n")));
        assertThat(text(all)).isEqualTo("1,a\n2,b\n3,c\n");
    }

    /** Some programs put one before each frame, with how long that is. */
    @Test
    void zstdFramesToBeSkippedAreNoText() {
        for (byte kind = 0x50; kind < 0x60; kind++) {
            byte[] note = {kind, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 'a', 'b', 'c', 'd'};
            byte[] first = join(note, Zstd.compress(bytes("1,a\n2,")));
            assertThat(text(join(first, note, Zstd.compress(bytes("b\n")), note)))
                    .isEqualTo("1,a\n2,b\n");
        }
        assertThat(text(bytes("P*M"))).isEqualTo("P*M");
    }

    /** Wherever the end of a member, of its trailer and of the decoder's buffer fall. */
    @Test
    void whatFollowsAGzipMemberAndIsNoneIsAnError() throws IOException {
        byte[] whole = join(gzip("1,a\n"), gzip("2,b\n".repeat(9)));
        for (int bufferBytes = 1; bufferBytes <= whole.length + 20; bufferBytes++) {
            assertThat(gunzip(whole, bufferBytes)).isEqualTo("1,a\n" + "2,b\n".repeat(9));
            for (int more = 1; more <= 20; more++) {
                byte[] longer = Arrays.copyOf(whole, whole.length + more);
                assertNotRead(longer, bufferBytes);
                Arrays.fill(longer, whole.length, longer.length, (byte) 0x1F);
                assertNotRead(longer, bufferBytes);
            }
        }
    }

    /** Extra field, name, comment and checksum, each there or not, and each flag nobody defined. */
    @Test
    void gzipHeadersMayHoldMoreAndAreChecked() throws IOException {
        byte[] plain = gzip("1,a\n");
        for (int flags = 0; flags < 256; flags++) {
            ByteArrayOutputStream header = new ByteArrayOutputStream();
            header.write(plain, 0, 3);
            header.write(flags);
            header.write(plain, 4, 6);
            header.writeBytes((flags & 4) == 0 ? new byte[0] : new byte[] {3, 0, 1, 0, 2});
            header.writeBytes(bytes((flags & 8) == 0 ? "" : "name\0"));
            header.writeBytes(bytes((flags & 16) == 0 ? "" : "comment\0"));
            CRC32 checksum = new CRC32();
            checksum.update(header.toByteArray());
            byte[] sum = {(byte) checksum.getValue(), (byte) (checksum.getValue() >> 8)};
            byte[] rest = Arrays.copyOfRange(plain, 10, plain.length);
            byte[] whole =
                    join(header.toByteArray(), (flags & 2) == 0 ? new byte[0] : sum, rest, plain);
            for (int bufferBytes = 1; bufferBytes < 40; bufferBytes++) {
                if (flags >= 32) {
                    assertNotRead(whole, bufferBytes);
                } else {
                    assertThat(gunzip(whole, bufferBytes)).isEqualTo("1,a\n1,a\n");
                }
            }
            if ((flags & 2) != 0) {
                whole[header.size()]++;
                assertNotRead(whole, 100);
            }
        }
    }

    @Test
    void oneByteAfterAGzipFileIsNoMemberThatIsCut() throws IOException {
        byte[] longer = join(gzip("1,a\n"), bytes("\n"));
        assertThatThrownBy(() -> gunzip(longer, 100))
                .hasMessage("after its end comes something that is not gzip");
        longer[longer.length - 1] = 0x1F;
        assertThatThrownBy(() -> gunzip(longer, 100)).hasMessage("it ends within a member");
    }

    @Test
    void aGzipMemberThatIsCutIsAnError() throws IOException {
        byte[] first = gzip("1,a\n");
        byte[] whole = join(first, gzip("2,b\n".repeat(9)));
        for (int length = first.length + 1; length < whole.length; length++) {
            for (int bufferBytes = 1; bufferBytes < 70; bufferBytes++) {
                assertNotRead(Arrays.copyOf(whole, length), bufferBytes);
            }
        }
    }

    @Test
    void aDamagedZstdFileIsCalledSo() {
        byte[] frame = Zstd.compress(bytes("1,a\n".repeat(1000)));
        assertDamaged(join(frame, bytes("garbage")));
        assertDamaged(Arrays.copyOf(frame, frame.length - 3));
    }

    private static void assertDamaged(byte[] stored) {
        assertThatThrownBy(() -> text(stored))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("x is damaged or cut off");
    }

    private static void assertNotRead(byte[] stored, int bufferBytes) {
        assertThatThrownBy(() -> gunzip(stored, bufferBytes))
                .as("%d bytes, buffer of %d", stored.length, bufferBytes)
                .isInstanceOf(IOException.class);
    }

    private static String gunzip(byte[] stored, int bufferBytes) throws IOException {
        try (InputStream in = GzipText.of(new ByteArrayInputStream(stored), bufferBytes)) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static String text(byte[] stored) {
        try (TextStream stream = TextStream.open("x", new ByteArrayInputStream(stored), true)) {
            byte[] target = new byte[10_000];
            int length = stream.read(target, 0, target.length);
            return new String(target, 0, length, StandardCharsets.ISO_8859_1);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes(text));
        }
        return out.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
