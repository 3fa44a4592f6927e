package dev.penstock.kv.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.wire.Frame;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectCodec;
import dev.penstock.reject.RejectReason;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a server answers fits into a message, however many records are bad. */
final class AnsweredRejectsTest {
    @ParameterizedTest
    @CsvSource({
        "3, x",
        "1000, x",
        "0, \u20AC\u20AC\u20AC\u20AC\u20AC\u20AC\u20AC\u20AC",
        "16777216, ''"
    })
    void an_answer_that_is_not_refused_fits(int recordBytes, String value) {
        AnsweredRejects rejects = new AnsweredRejects();
        Reject reject =
                new Reject(
                        RejectReason.OUT_OF_RANGE,
                        0,
                        0,
                        Reject.LINE_UNKNOWN,
                        value,
                        value,
                        value,
                        new byte[recordBytes]);
        assertThatThrownBy(
                        () -> {
                            while (true) {
                                rejects.add(reject);
                            }
                        })
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("--chunk-size");
        ByteBuilder message = new ByteBuilder(64);
        RejectCodec.put(rejects.list(), message);
        assertThat(message.length())
                .isBetween(AnsweredRejects.MAX_BYTES / 4, Frame.MAX_BYTES - (4 << 20));
    }
}
