package dev.penstock.kv.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.storage.ReceiptBytes;
import dev.penstock.reject.DuplicateKey;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectReason;

import org.junit.jupiter.api.Test;

/** Receipts take no more memory together than a server has for them. */
final class ReceiptRoomTest {
    private static final int MEBIBYTE = 1 << 20;

    private final ReceiptBytes receipts = new ReceiptBytes();
    private final ReceiptRoom room = new ReceiptRoom(receipts, 3 * MEBIBYTE);

    /** A bad record that takes so much. */
    private static Reject record(int bytes) {
        int overhead = Math.toIntExact(ReceiptBytes.of(recordOf(0)));
        return recordOf(bytes - overhead);
    }

    private static Reject recordOf(int bytes) {
        return new Reject(
                RejectReason.OUT_OF_RANGE,
                0,
                0,
                Reject.LINE_UNKNOWN,
                "amount",
                "x",
                "a number",
                new byte[bytes]);
    }

    private static Reject key(int bytes) {
        return new DuplicateKey(new byte[bytes], "(id=1)", true).toReject();
    }

    private static void assertRefused(
            ReceiptRoom.Share share, Reject reject, ErrorCategory category, String message) {
        assertThatThrownBy(() -> share.take(reject))
                .isInstanceOfSatisfying(
                        PenstockException.class, e -> assertThat(e.category()).isEqualTo(category))
                .hasMessage(message);
    }

    @Test
    void what_many_receipts_take_is_added_up_to_the_last_byte() {
        room.share("one", 1).take(record(MEBIBYTE));
        ReceiptRoom.Share share = room.share("one", 2);
        share.take(record(MEBIBYTE));
        share.take(record(MEBIBYTE));
        assertThat(receipts.total()).isEqualTo(3 * MEBIBYTE);
        assertRefused(
                room.share("one", 3),
                recordOf(0),
                ErrorCategory.DATA,
                "A server found more bad records than it can hold until the load is published"
                        + " (3 MiB); nothing was loaded. Have the loader find them with --offload"
                        + " select.");
    }

    @Test
    void keys_count_as_records_do_and_are_told_from_them() {
        ReceiptRoom.Share share = room.share("one", 1);
        share.take(key(2 * MEBIBYTE));
        assertRefused(
                share,
                key(MEBIBYTE),
                ErrorCategory.DATA,
                "A server found more keys of duplicate rows than it can hold until the load is"
                        + " published (3 MiB); nothing was loaded. Leave such rows out with"
                        + " --on-duplicate keep-first or keep-last.");
        assertThat(receipts.total()).as("what was refused is not taken").isLessThan(3 * MEBIBYTE);
        share.take(key(MEBIBYTE / 2));
    }

    @Test
    void a_load_that_others_leave_no_room_is_told_to_come_again() {
        room.share("one", 1).take(record(2 * MEBIBYTE));
        assertRefused(
                room.share("two", 1),
                record(2 * MEBIBYTE),
                ErrorCategory.CONFLICT,
                "A server found more bad records than it can hold until the load is published"
                        + " (3 MiB with those of other loads); nothing was loaded. Load again"
                        + " after the other loads have ended.");
    }

    @Test
    void a_load_that_has_no_room_even_alone_is_not_sent_to_others() {
        room.share("one", 1).take(recordOf(0));
        ReceiptRoom.Share share = room.share("two", 1);
        share.take(record(MEBIBYTE));
        String tooMany =
                "A server found more bad records than it can hold until the load is published"
                        + " (3 MiB); nothing was loaded. Have the loader find them with --offload"
                        + " select.";
        assertRefused(share, record(2 * MEBIBYTE + 1), ErrorCategory.DATA, tooMany);
        ReceiptRoom.Share next = room.share("two", 2);
        assertRefused(next, record(2 * MEBIBYTE + 1), ErrorCategory.DATA, tooMany);
        assertThatThrownBy(() -> next.take(record(2 * MEBIBYTE)))
                .as("there would be room to the last byte, but for the other load")
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.CONFLICT));
    }

    @Test
    void a_receipt_that_will_not_be_made_gives_its_room_back_and_no_other() {
        ReceiptRoom.Share failed = room.share("one", 1);
        failed.take(record(MEBIBYTE));
        failed.take(record(MEBIBYTE));
        room.share("one", 2).take(record(MEBIBYTE));
        failed.giveBack();
        failed.giveBack();
        assertThat(receipts.total()).isEqualTo(MEBIBYTE);
        room.share("one", 1).take(record(2 * MEBIBYTE));
    }

    @Test
    void rejects_of_deferred_steps_are_kept_only_as_far_as_there_was_room_before() {
        AnsweredRejects rejects = new AnsweredRejects(room.share("one", 1)::take);
        assertThatThrownBy(
                        () -> {
                            while (true) {
                                rejects.add(record(MEBIBYTE));
                            }
                        })
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("(3 MiB)");
        assertThat(rejects.list()).hasSize(3);
    }
}
