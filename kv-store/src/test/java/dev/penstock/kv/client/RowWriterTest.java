package dev.penstock.kv.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;

class RowWriterTest {
    /** So many keys at a time may be too long together for a message. */
    @Test
    void aCallTakesKeysUpToANumberAndUpToALength() {
        List<byte[]> few = Collections.nCopies(100, new byte[1 << 20]);
        assertThat(RowWriter.endOfCall(few, 0)).isEqualTo(16);
        assertThat(RowWriter.endOfCall(few, 16)).isEqualTo(32);
        assertThat(RowWriter.endOfCall(few, 95)).isEqualTo(100);
        List<byte[]> many = Collections.nCopies(10_000, new byte[10]);
        assertThat(RowWriter.endOfCall(many, 0)).isEqualTo(RowWriter.MAX_ROWS);
        assertThat(RowWriter.endOfCall(many, RowWriter.MAX_ROWS)).isEqualTo(10_000);
        List<byte[]> longest = Collections.nCopies(2, new byte[20 << 20]);
        assertThat(RowWriter.endOfCall(longest, 0)).isEqualTo(1);
    }
}
