package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.List;

/** Whom a load that is prepared and not published keeps away, and what those are told. */
final class PreparedKeysTest {
    private static final List<Item> HELD = TestTable.items(0, 1500, 1);
    private static final List<Item> WANTED = TestTable.items(1400, 1600, 2);

    private TestStore store;

    @BeforeEach
    void open(@TempDir Path folder) {
        store = TestStore.open(folder, new NioStorage());
        store.createItems();
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** A load that can be resumed and whose loader has stopped just before publishing. */
    private LoadDescriptor unfinished(String label, DuplicatePolicy duplicates) {
        Unfinished load = Unfinished.begin(store, label, duplicates).with(0, HELD);
        load.send(store, 0);
        store.finish(load.load());
        store.metadata().releaseLoad(load.load().loadId(), 1);
        return load.load();
    }

    private void refused(String message) {
        assertThatThrownBy(() -> store.load(DuplicatePolicy.KEEP_FIRST, WANTED))
                .hasMessage(message)
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.CONFLICT));
        assertThat(store.scan()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void an_unfinished_load_is_named_by_its_label_with_what_ends_it(boolean restart) {
        LoadDescriptor night = unfinished("night-1", DuplicatePolicy.REPLACE);
        if (restart) {
            store.restartServer();
            store.restartLeader();
        }
        refused(
                "key (id=1400) is also in load 'night-1' ("
                        + night.loadId()
                        + ") into table items, which is unfinished; load again after it has ended:"
                        + " resume it, or end it with: penstock loads items --abort night-1");
        store.metadata().abort(night.loadId());
        store.load(DuplicatePolicy.KEEP_FIRST, WANTED);
        assertThat(store.scan()).isEqualTo(WANTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"last night", "--json", "it's"})
    void a_label_that_is_no_plain_word_is_not_put_into_a_command(String label) {
        LoadDescriptor night = unfinished(label, DuplicatePolicy.REPLACE);
        refused(
                "key (id=1400) is also in load '"
                        + label
                        + "' ("
                        + night.loadId()
                        + ") into table items, which is unfinished; load again after it has ended:"
                        + " resume it, or end it with: penstock loads items --abort "
                        + night.loadId());
    }

    @Test
    void a_load_whose_loader_lives_is_waited_for() {
        Unfinished night = Unfinished.begin(store, "night", DuplicatePolicy.REPLACE).with(0, HELD);
        night.send(store, 0);
        store.finish(night.load());
        refused(
                "key (id=1400) is also in load 'night' ("
                        + night.load().loadId()
                        + ") into table items, which is about to be published; load again after it"
                        + " has ended");
    }

    @Test
    void a_load_that_cannot_be_resumed_is_waited_for() {
        LoadDescriptor other = store.begin(DuplicatePolicy.ERROR);
        store.send(other, 0, HELD);
        store.finish(other);
        refused(
                "key (id=1400) is also in load "
                        + other.loadId()
                        + " into table items, which is about to be published; load again after it"
                        + " has ended");
    }

    @ParameterizedTest
    @CsvSource({"false,false", "true,false", "false,true", "true,true"})
    void what_only_replaces_keeps_neither_such_loads_nor_rows_away(boolean restart, boolean rows) {
        LoadDescriptor night = unfinished("night", DuplicatePolicy.REPLACE);
        if (restart) {
            store.restartServer();
        }
        if (rows) {
            store.put(WANTED);
        } else {
            store.load(DuplicatePolicy.REPLACE, WANTED);
        }
        assertThat(store.scan()).isEqualTo(WANTED);
        store.metadata().resumeLoad(night.loadId(), 2);
        store.publish(night);
        assertThat(store.scan()).startsWith(HELD.toArray(Item[]::new)).endsWith(WANTED.getLast());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rows_with_keys_that_were_compared_are_refused_until_the_load_has_ended(boolean restart) {
        LoadDescriptor night = unfinished("night", DuplicatePolicy.KEEP_FIRST);
        if (restart) {
            store.restartServer();
        }
        assertThatThrownBy(() -> store.put(WANTED))
                .hasMessage(
                        "a row has a key of load "
                                + night.loadId()
                                + " into table items, which is about to be published; store it"
                                + " after the load has ended: if it was left unfinished resume"
                                + " it, or end it with: penstock loads items --abort "
                                + night.loadId())
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.CONFLICT));
        assertThat(store.scan()).isEmpty();
        store.metadata().abort(night.loadId());
        store.put(WANTED);
        assertThat(store.scan()).isEqualTo(WANTED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_key_that_was_left_out_because_it_is_stored_stays_until_the_load_has_ended(
            boolean restart) {
        store.put(HELD.subList(0, 10));
        LoadDescriptor night = unfinished("night", DuplicatePolicy.KEEP_FIRST);
        if (restart) {
            store.restartServer();
        } else {
            // What was not left out: nothing is lost if it is removed.
            delete(700);
        }
        assertThatThrownBy(() -> delete(5))
                .hasMessage(
                        "a row to delete may be why load "
                                + night.loadId()
                                + " into table items, which is about to be published, has left out"
                                + " its own row of that key; delete it after the load has ended: if"
                                + " it was left unfinished resume it, or end it with: penstock"
                                + " loads items --abort "
                                + night.loadId())
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.CONFLICT));
        store.metadata().resumeLoad(night.loadId(), 2);
        store.publish(night);
        assertThat(store.scan()).isEqualTo(HELD);
        delete(5);
        assertThat(store.scan()).hasSize(HELD.size() - 1).doesNotContain(HELD.get(5));
    }

    @Test
    void what_an_aborted_load_has_left_out_may_go() {
        store.put(HELD.subList(0, 10));
        LoadDescriptor night = unfinished("night", DuplicatePolicy.KEEP_FIRST);
        store.metadata().abort(night.loadId());
        delete(5);
        assertThat(store.scan()).hasSize(9);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void what_a_load_keeps_away_can_be_known_before_it_is_written(boolean restart) {
        List<Item> stored = HELD.subList(0, 10);
        store.put(stored);
        LoadDescriptor night = unfinished("night", DuplicatePolicy.KEEP_FIRST);
        if (restart) {
            store.restartServer();
        } else {
            check(700, true);
        }
        assertThatThrownBy(() -> check(5, true))
                .hasMessageStartingWith("a row to delete may be why load " + night.loadId());
        assertThatThrownBy(() -> check(700, false))
                .hasMessageStartingWith("a row has a key of load " + night.loadId());
        check(5, false);
        check(-1, false);
        store.metadata().abort(night.loadId());
        check(5, true);
        check(700, false);
        assertThat(store.scan()).isEqualTo(stored);
    }

    private void check(long id, boolean removal) {
        long region = store.regions().getFirst().regionId();
        store.service()
                .checkWrite(region, List.of(TestTable.key(id)), removal, store.metadata().epoch());
    }

    private void delete(long id) {
        long region = store.regions().getFirst().regionId();
        store.service().delete(region, List.of(TestTable.key(id)), store.metadata().epoch());
    }
}
