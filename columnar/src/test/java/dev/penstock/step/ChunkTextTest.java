package dev.penstock.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

class ChunkTextTest {
    private static final byte[] TEXT = "1|one\n2|two\n".getBytes(StandardCharsets.US_ASCII);

    private static byte[] payload(ChunkText text) {
        byte[] payload = Arrays.copyOf(TEXT, text.payloadLength());
        System.arraycopy(text.trailer(), 0, payload, TEXT.length, ChunkText.TRAILER_BYTES);
        return payload;
    }

    @Test
    void whatIsSaidOfATextComesBack() {
        ChunkText text = new ChunkText(3, 1L << 40, TEXT.length);
        byte[] payload = payload(text);
        assertThat(ChunkText.of(payload, payload.length)).isEqualTo(text);
        assertThat(ChunkText.of(Arrays.copyOf(payload, 100), payload.length)).isEqualTo(text);
    }

    @Test
    void damageIsRefused() {
        byte[] payload = payload(new ChunkText(0, 0, TEXT.length));
        refused(payload, payload.length - 1);
        refused(payload, ChunkText.TRAILER_BYTES - 1);
        refused(payload, payload.length + 1);
        byte[] negative = payload(new ChunkText(-1, 0, TEXT.length));
        refused(negative, negative.length);
        byte[] before = payload(new ChunkText(0, -1, TEXT.length));
        refused(before, before.length);
    }

    private static void refused(byte[] payload, int length) {
        assertThatThrownBy(() -> ChunkText.of(payload, length))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.CORRUPT));
    }
}
