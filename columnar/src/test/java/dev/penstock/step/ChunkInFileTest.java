package dev.penstock.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.Test;

class ChunkInFileTest {
    private static byte[] payload(int source, long position, int length, long fileBytes) {
        ByteBuilder out = new ByteBuilder(64);
        ChunkText text = new ChunkText(source, position, length);
        new ChunkInFile(text, "/in/müll.tbl", "(dev=1,ino=2)", fileBytes).put(out);
        return out.toByteArray();
    }

    @Test
    void aPlaceComesBack() {
        byte[] payload = payload(3, 1L << 40, 12, 1L << 41);
        assertThat(ChunkInFile.of(payload, payload.length))
                .isEqualTo(
                        new ChunkInFile(
                                new ChunkText(3, 1L << 40, 12),
                                "/in/müll.tbl",
                                "(dev=1,ino=2)",
                                1L << 41));
    }

    @Test
    void impossiblePlacesAreRefused() {
        refused(payload(-1, 0, 1, 1));
        refused(payload(0, -1, 1, 1));
        refused(payload(0, 0, -1, 1));
        refused(payload(0, 0, 2, 1));
        refused(payload(0, Long.MAX_VALUE, 2, Long.MAX_VALUE));
        refused(payload(0, 0, ChunkText.MOST_BYTES + 1, Long.MAX_VALUE));
    }

    @Test
    void damageIsRefused() {
        byte[] payload = payload(0, 0, 1, 1);
        for (int length = 0; length < payload.length; length++) {
            int cut = length;
            assertThatThrownBy(() -> ChunkInFile.of(payload, cut))
                    .isInstanceOf(PenstockException.class);
        }
        payload[0]++;
        refused(payload);
    }

    private static void refused(byte[] payload) {
        assertThatThrownBy(() -> ChunkInFile.of(payload, payload.length))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.CORRUPT));
    }
}
