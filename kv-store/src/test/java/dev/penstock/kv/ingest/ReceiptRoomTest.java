package dev.penstock.kv.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.storage.ReceiptBytes;
import dev.penstock.reject.DuplicateKey;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectReason;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.Verification;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Receipts take no more memory together than a server has for them. */
final class ReceiptRoomTest {
    private static final int MEBIBYTE = 1 << 20;

    private final ReceiptBytes receipts = new ReceiptBytes();
    private final Map<String, LoadDescriptor> running = new HashMap<>();
    private final ReceiptRoom room =
            new ReceiptRoom(receipts, 3 * MEBIBYTE, id -> Optional.ofNullable(running.get(id)));

    /** A load that can be resumed; those that are named first begin first. */
    private LoadDescriptor load(String loadId, String label, String table) {
        int ordinal = running.size() + 1;
        return running.computeIfAbsent(
                loadId,
                id ->
                        new LoadDescriptor(
                                id,
                                ordinal,
                                new TableDescriptor(table.length(), schema(table)),
                                request(table, label),
                                List.of()));
    }

    private static TableSchema schema(String table) {
        return new TableSchema(table, TestTable.SCHEMA.columns(), TestTable.SCHEMA.key(), false);
    }

    private static LoadRequest request(String table, String label) {
        return TestTable.request(
                table, label, DuplicatePolicy.REJECT, Verification.COUNT, "the plan");
    }

    private ReceiptRoom.Share share(String loadId, long regionId) {
        return room.share(load(loadId, "", "items"), regionId);
    }

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
        share("one", 1).take(record(MEBIBYTE));
        ReceiptRoom.Share share = share("one", 2);
        share.take(record(MEBIBYTE));
        share.take(record(MEBIBYTE));
        assertThat(receipts.total()).isEqualTo(3 * MEBIBYTE);
        assertRefused(
                share("one", 3),
                recordOf(0),
                ErrorCategory.DATA,
                "A server found more bad records than it can hold until the load is published"
                        + " (3 MiB); nothing was loaded. Have the loader find them with --offload"
                        + " select.");
    }

    @Test
    void keys_count_as_records_do_and_are_told_from_them() {
        ReceiptRoom.Share share = share("one", 1);
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
    void a_load_waits_for_later_ones_and_is_told_which() {
        LoadDescriptor first = load("one", "", "items");
        room.share(load("two", "monday", "items"), 1).take(record(MEBIBYTE));
        room.share(load("three", "secret", "orders"), 1).take(record(MEBIBYTE));
        assertRefused(
                room.share(first, 2),
                record(2 * MEBIBYTE),
                ErrorCategory.CONFLICT,
                "A server found more bad records than it can hold until the load is published"
                        + " (3 MiB) beside those of load three into another table and load 'monday'"
                        + " (two), which began later. Load again after they have ended. What is"
                        + " unfinished can be resumed, or ended with: penstock loads TABLE --abort"
                        + " three; penstock loads items --abort two");
    }

    @Test
    void a_load_that_earlier_ones_leave_too_little_ends() {
        share("one", 1).take(record(2 * MEBIBYTE));
        String message =
                "A server found more bad records than it can hold until the load is published"
                        + " (3 MiB) beside those of load one, which began earlier; nothing was"
                        + " loaded. Load again after it has ended.";
        String command =
                " What is unfinished can be resumed, or ended with: penstock loads items --abort"
                        + " one";
        ReceiptRoom.Share second = share("two", 1);
        share("three", 1).take(recordOf(0));
        assertRefused(second, record(2 * MEBIBYTE), ErrorCategory.DATA, message + command);
        running.remove("one");
        assertRefused(second, record(2 * MEBIBYTE), ErrorCategory.DATA, message);
        second.take(record(MEBIBYTE / 2));
    }

    @Test
    void of_loads_that_are_in_the_way_of_one_another_the_last_ends() {
        List<ReceiptRoom.Share> shares = new ArrayList<>();
        for (String loadId : List.of("one", "two", "three")) {
            shares.add(share(loadId, 1));
            shares.getLast().take(record(MEBIBYTE));
        }
        Reject next = record(MEBIBYTE);
        assertThat(shares)
                .extracting(share -> category(share, next))
                .containsExactly(
                        ErrorCategory.CONFLICT, ErrorCategory.CONFLICT, ErrorCategory.DATA);
    }

    private static ErrorCategory category(ReceiptRoom.Share share, Reject refused) {
        return catchThrowableOfType(PenstockException.class, () -> share.take(refused)).category();
    }

    @Test
    void a_load_that_has_no_room_even_alone_is_not_sent_to_others() {
        ReceiptRoom.Share share = share("one", 1);
        share("two", 1).take(recordOf(0));
        share.take(record(MEBIBYTE));
        String tooMany =
                "A server found more bad records than it can hold until the load is published"
                        + " (3 MiB); nothing was loaded. Have the loader find them with --offload"
                        + " select.";
        assertRefused(share, record(2 * MEBIBYTE + 1), ErrorCategory.DATA, tooMany);
        ReceiptRoom.Share next = share("one", 2);
        assertRefused(next, record(2 * MEBIBYTE + 1), ErrorCategory.DATA, tooMany);
        assertThatThrownBy(() -> next.take(record(2 * MEBIBYTE)))
                .as("there would be room to the last byte, but for the other load")
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.CONFLICT));
    }

    @Test
    void a_receipt_that_will_not_be_made_gives_its_room_back_and_no_other() {
        ReceiptRoom.Share failed = share("one", 1);
        failed.take(record(MEBIBYTE));
        failed.take(record(MEBIBYTE));
        share("one", 2).take(record(MEBIBYTE));
        failed.giveBack();
        failed.giveBack();
        assertThat(receipts.total()).isEqualTo(MEBIBYTE);
        share("one", 1).take(record(2 * MEBIBYTE));
    }

    @Test
    void rejects_of_deferred_steps_are_kept_only_as_far_as_there_was_room_before() {
        AnsweredRejects rejects = new AnsweredRejects(share("one", 1)::take);
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
