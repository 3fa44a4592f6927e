package dev.penstock.kv.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.region.TestTable;
import dev.penstock.reject.DuplicateKey;
import dev.penstock.reject.Reject;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.step.StepTimes;
import dev.penstock.target.ColumnOutcome;
import dev.penstock.target.RegionReceipt;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class RegionJournalTest {
    @TempDir Path folder;

    private Path path() {
        return folder.resolve("journal");
    }

    private RegionJournal open() {
        return RegionJournal.open(new NioStorage(), path());
    }

    private static RegionDescriptor region(long id) {
        byte[] start = TestTable.key(id);
        return new RegionDescriptor(
                id, 1, TestTable.SCHEMA, new KeyRange(start, TestTable.key(id + 1)));
    }

    private static void create(RegionJournal journal, long id) {
        journal.change(id, new ManifestRecord.Created(region(id)));
    }

    private static PreparedLoad load(long region, String loadId) {
        return load(region, loadId, List.of());
    }

    private static PreparedLoad load(long region, String loadId, List<Reject> rejects) {
        ColumnOutcome column = new ColumnOutcome("amount", "packed", -1, 80);
        RegionReceipt receipt =
                RegionReceipt.withoutSums(
                        region, "here", 10, 1, 100, List.of(column), rejects, new StepTimes());
        return new PreparedLoad(
                loadId,
                new SegmentIdentity(region, ~1L, 0),
                !loadId.equals("two"),
                List.of(new SegmentDescriptor("load-" + loadId + "-0.seg", 100, 10)),
                receipt);
    }

    private static LayerDescriptor layer(long sequence, long epoch, PreparedLoad load) {
        return new LayerDescriptor(
                sequence, epoch, 1000, false, false, load.identity(), load.segments());
    }

    private static ManifestState state(RegionJournal journal, long region) {
        return journal.state(region).orElseThrow();
    }

    @Test
    void whatItWasToldIsThereWhenItIsOpenedAgain() {
        try (RegionJournal journal = open()) {
            for (long id = 1; id <= 5; id++) {
                create(journal, id);
                journal.prepare(id, load(id, "one"));
                journal.prepare(id, load(id, "two"));
            }
            journal.change(1, new ManifestRecord.Installed(layer(1, 7, load(1, "one"))));
            journal.end(1, "one");
            journal.grown(2);
            journal.dropped(3);
            journal.end(4, "one");
            journal.end(4, "two");
            journal.force();
        }
        try (RegionJournal journal = open()) {
            assertThat(journal.youngRegions()).containsExactlyInAnyOrder(1L, 4L, 5L);
            assertThat(state(journal, 1).region()).isEqualTo(region(1));
            assertThat(state(journal, 1).installedEpoch()).isEqualTo(7);
            assertThat(state(journal, 1).layers()).containsExactly(layer(1, 7, load(1, "one")));
            assertThat(journal.prepared(1)).extracting(PreparedLoad::loadId).containsExactly("two");
            assertThat(journal.prepared(2))
                    .extracting(PreparedLoad::comparesStored)
                    .containsExactly(true, false);
            assertThat(journal.prepared(3)).isEmpty();
            assertThat(journal.prepared(4)).isEmpty();
            assertThat(journal.prepared(5).getFirst().receipt().columns())
                    .isEqualTo(load(5, "one").receipt().columns());
            ColumnOutcome here = journal.prepared(5).getFirst().receipt().columns().getFirst();
            ColumnOutcome there = journal.prepared(2).getFirst().receipt().columns().getFirst();
            assertThat(here.column()).isSameAs(there.column());
            assertThat(here.encoding()).isSameAs(there.encoding());
        }
    }

    @Test
    void regionsOfATableHaveOneSchemaWhereverItWasReadFrom() {
        RegionFiles grown = RegionFiles.in(folder, 1);
        try (RegionJournal journal = open();
                Manifest manifest = Manifest.create(new NioStorage(), grown, journal, region(1))) {
            create(journal, 2);
            create(journal, 3);
            manifest.growUp();
            journal.force();
        }
        try (RegionJournal journal = open();
                Manifest manifest = Manifest.open(new NioStorage(), grown, journal)) {
            TableSchema schema = manifest.region().schema();
            assertThat(journal.youngRegions()).containsExactlyInAnyOrder(2L, 3L);
            assertThat(schema).isEqualTo(TestTable.SCHEMA).isNotSameAs(TestTable.SCHEMA);
            assertThat(state(journal, 2).region().schema()).isSameAs(schema);
            assertThat(state(journal, 3).region().schema()).isSameAs(schema);
            journal.change(4, new ManifestRecord.Created(region(4)));
            assertThat(state(journal, 4).region()).isEqualTo(region(4));
            assertThat(state(journal, 4).region().schema()).isSameAs(schema);
        }
    }

    @Test
    void nothingIsWrittenBeforeThereIsSomethingToSay() {
        try (RegionJournal journal = open()) {
            journal.force();
            journal.dropped(3);
            journal.grown(4);
        }
        assertThat(path()).doesNotExist();
    }

    @Test
    void manyRegionsAreForcedAtOnce() {
        FaultyStorage storage = new FaultyStorage(new NioStorage());
        try (RegionJournal journal = RegionJournal.open(storage, path())) {
            create(journal, 1);
            journal.force();
            long calls = storage.calls();
            for (long id = 2; id <= 101; id++) {
                create(journal, id);
            }
            journal.force();
            journal.force();
            // A write each, one force and its seal.
            assertThat(storage.calls() - calls).isEqualTo(102);
        }
    }

    @Test
    void whatWasNotForcedIsLostFromTheEndOnly() throws IOException {
        Path trash = Files.createDirectory(folder.resolve("trash"));
        FaultyStorage storage = new FaultyStorage(new NioStorage(), trash);
        try (RegionJournal journal = RegionJournal.open(storage, path())) {
            create(journal, 1);
            journal.prepare(1, load(1, "one"));
            journal.force();
            journal.change(1, new ManifestRecord.Installed(layer(1, 7, load(1, "one"))));
            journal.end(1, "one");
        }
        storage.loseUnforced();
        try (RegionJournal journal = open()) {
            assertThat(state(journal, 1).layers()).isEmpty();
            assertThat(journal.prepared(1)).hasSize(1);
        }
    }

    @Test
    void aLongJournalIsWrittenAnewWithWhatStillCounts() throws IOException {
        NioStorage storage = new NioStorage();
        try (RegionJournal journal = RegionJournal.open(storage, path(), 10_000)) {
            create(journal, 1);
            create(journal, 2);
            journal.prepare(2, load(2, "kept"));
            for (int i = 1; i <= 300; i++) {
                PreparedLoad load = load(1, "load-" + i);
                journal.prepare(1, load);
                journal.change(1, new ManifestRecord.Installed(layer(i, i, load(1, "empty"))));
                journal.end(1, load.loadId());
                create(journal, 1);
                journal.force();
                journal.change(
                        1,
                        new ManifestRecord.Snapshot(
                                List.of(layer(i, i, load(1, "last"))), 1, i, i));
            }
            assertThat(storage.quietFailures().all()).isEmpty();
        }
        assertThat(Files.size(path())).isLessThan(25_000);
        try (RegionJournal journal = open()) {
            assertThat(journal.youngRegions()).containsExactlyInAnyOrder(1L, 2L);
            assertThat(state(journal, 1).installedEpoch()).isEqualTo(300);
            assertThat(state(journal, 1).layers()).hasSize(1);
            assertThat(state(journal, 2).region()).isEqualTo(region(2));
            assertThat(journal.prepared(1)).isEmpty();
            assertThat(journal.prepared(2)).hasSize(1);
        }
    }

    @Test
    void rejectsThatCannotBeForgottenAreForgottenLater() {
        FaultyStorage storage = new FaultyStorage(new NioStorage());
        String forgotten = "could not forget rejected records in " + path();
        try (RegionJournal journal = RegionJournal.open(storage, path(), 1 << 20)) {
            create(journal, 1);
            journal.prepare(1, load(1, "one", List.of(DuplicateKey.more())));
            journal.prepare(1, load(1, "two"));
            storage.failCall(1);
            journal.published("one");
            assertThat(storage.quietFailures().all()).containsOnlyKeys(forgotten);
            storage.failCall(1);
            journal.published("two");
            assertThat(storage.quietFailures().all()).containsOnlyKeys(forgotten);
            assertThat(journal.prepared(1).getFirst().receipt().rejects()).hasSize(1);
            storage.failCall(Long.MAX_VALUE);
            journal.end(1, "two");
            assertThat(storage.quietFailures().all()).isEmpty();
            assertThat(journal.prepared(1))
                    .singleElement()
                    .satisfies(one -> assertThat(one.receipt().rejects()).isEmpty());
        }
    }

    @Test
    void aLoadThatHasEndedLeavesNoRejectsToForget() {
        FaultyStorage storage = new FaultyStorage(new NioStorage());
        try (RegionJournal journal = RegionJournal.open(storage, path(), 1 << 20)) {
            create(journal, 1);
            journal.prepare(1, load(1, "one", List.of(DuplicateKey.more())));
            storage.failCall(1);
            journal.published("one");
            assertThat(storage.quietFailures().all()).hasSize(1);
            storage.failCall(Long.MAX_VALUE);
            journal.end(1, "one");
            assertThat(storage.quietFailures().all()).isEmpty();
        }
    }

    @Test
    void aJournalThatCannotBeWrittenAnewGoesOn() {
        FaultyStorage storage = new FaultyStorage(new NioStorage());
        try (RegionJournal journal = RegionJournal.open(storage, path(), 1000)) {
            create(journal, 1);
            journal.prepare(1, load(1, "one"));
            journal.prepare(1, load(1, "two"));
            // The append itself works, what comes after it does not.
            storage.failCall(2);
            for (int i = 0; storage.quietFailures().all().isEmpty() && i < 50; i++) {
                journal.prepare(1, load(1, "more-" + i));
                storage.failCall(2);
            }
            assertThat(storage.quietFailures().all())
                    .containsOnlyKeys("could not shorten " + path());
            storage.failCall(Long.MAX_VALUE);
            journal.prepare(1, load(1, "last"));
            journal.force();
        }
        try (RegionJournal journal = open()) {
            assertThat(journal.prepared(1))
                    .extracting(PreparedLoad::loadId)
                    .contains("one", "two", "last");
        }
    }

    @Test
    void damageOfAForcedRecordIsRefusedByName() throws IOException {
        try (RegionJournal journal = open()) {
            for (long id = 1; id <= 5; id++) {
                create(journal, id);
                journal.force();
            }
        }
        byte[] bytes = Files.readAllBytes(path());
        bytes[80] ^= 1;
        Files.write(path(), bytes);
        assertThatThrownBy(this::open)
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining(path().toString())
                .hasMessageContaining("damaged");
    }
}
