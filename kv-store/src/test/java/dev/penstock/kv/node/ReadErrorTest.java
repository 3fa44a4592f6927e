package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.aggregate.Aggregate;
import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.predicate.Predicate;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A mapped file whose pages cannot be read, as with a bad sector, here because they are gone. */
class ReadErrorTest {
    private static final StagingLimits STAGING = new StagingLimits(1 << 20, 1 << 20);

    @TempDir Path folder;

    @Test
    void pagesThatCannotBeReadAreAnErrorOfTheDisk() throws IOException {
        try (TestStore store = TestStore.openWhole(folder, new NioStorage(), STAGING, 0)) {
            store.createItems();
            store.load(DuplicatePolicy.REPLACE, TestTable.items(2000, 30_000, 1));
            List<Path> segments = segments();
            for (Path segment : segments) {
                cut(segment);
            }
            PenstockException failure = catchThrowableOfType(PenstockException.class, store::scan);
            assertThat(failure.category()).isEqualTo(ErrorCategory.IO);
            assertThat(failure).hasMessageContaining(segments.getFirst().toString());
        }
    }

    /** Of pages that were read before, which are then read again without a copy of the block. */
    @ParameterizedTest
    @EnumSource(Read.class)
    void soAreTheyForWhoeverHasReadThem(Read read) throws IOException {
        try (TestStore store = TestStore.openWhole(folder, new NioStorage(), STAGING, 0)) {
            store.createItems();
            store.load(DuplicatePolicy.REPLACE, TestTable.items(2000, 30_000, 1));
            read.from(store);
            for (Path segment : segments()) {
                cut(segment);
            }
            PenstockException failure =
                    catchThrowableOfType(PenstockException.class, () -> read.from(store));
            assertThat(failure.category()).isEqualTo(ErrorCategory.IO);
            assertThat(failure)
                    .hasMessageContaining(segments().getFirst().toString())
                    .hasMessageContaining("its disk failed, or it was cut");
        }
    }

    /** Which throws the error some instructions after it has touched the page. */
    @Test
    void compiledCodeSaysSoToo() throws IOException {
        try (TestStore store = TestStore.openWhole(folder, new NioStorage(), STAGING, 0)) {
            store.createItems();
            store.load(DuplicatePolicy.REPLACE, TestTable.items(2000, 30_000, 1));
            for (int round = 0; round < 3; round++) {
                for (long id = 2000; id < 30_000; id++) {
                    assertThat(Read.get(store, id)).isPresent();
                }
            }
            cut(segments().getFirst());
            Set<ErrorCategory> failures = EnumSet.noneOf(ErrorCategory.class);
            for (long id = 2000; id < 30_000; id++) {
                try {
                    Read.get(store, id);
                } catch (PenstockException e) {
                    failures.add(e.category());
                }
            }
            assertThat(failures).containsExactly(ErrorCategory.IO);
        }
    }

    /** What a client asks of the last region, the only one with rows. */
    enum Read {
        GET,
        FIRST_PRESENT,
        INSERT,
        EXTREMES,
        GROUPS,
        CONDITION,
        SCAN,
        CHECKSUM;

        void from(TestStore store) {
            long region = store.regions().getLast().regionId();
            long epoch = store.metadata().epoch();
            RegionService service = store.service();
            switch (this) {
                case GET -> get(store, 29_000);
                case FIRST_PRESENT ->
                        service.firstPresent(region, List.of(TestTable.key(29_000)), epoch);
                case INSERT ->
                        service.insert(
                                region, TestTable.batch(TestTable.items(29_000, 29_001, 2)), epoch);
                case EXTREMES -> aggregate(store, List.of(), Predicate.ALWAYS);
                case GROUPS -> aggregate(store, List.of(2), Predicate.ALWAYS);
                case CONDITION ->
                        service.count(
                                region,
                                epoch,
                                KeyRange.ALL,
                                new Predicate.StartsWith(1, "name-29".getBytes(UTF_8), false));
                case SCAN -> store.scan();
                case CHECKSUM -> service.checksum(region, epoch);
            }
        }

        static Optional<ColumnBatch> get(TestStore store, long id) {
            long region = store.regions().getLast().regionId();
            return store.service().get(region, TestTable.key(id), store.metadata().epoch());
        }

        private static void aggregate(TestStore store, List<Integer> groups, Predicate where) {
            AggregateQuery query =
                    new AggregateQuery(KeyRange.ALL, where, groups, List.of(Aggregate.max(1)));
            long region = store.regions().getLast().regionId();
            store.service().aggregate(region, store.metadata().epoch(), query);
        }
    }

    private static void cut(Path segment) throws IOException {
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
            file.truncate(4096);
        }
    }

    private List<Path> segments() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".seg")).toList();
        }
    }
}
