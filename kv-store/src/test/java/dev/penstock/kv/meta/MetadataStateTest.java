package dev.penstock.kv.meta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.dialect.Dialect;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.HostedRegions;
import dev.penstock.kv.api.LoadState;
import dev.penstock.kv.api.PublishedLoad;
import dev.penstock.kv.api.PublishedPage;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.region.TestTable;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadRequest;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class MetadataStateTest {
    private static final long ITEMS = 1;
    private static final long OTHER = 2;

    /** A load of one region without a label, and half of one more. */
    private static final int ONE_AND_A_HALF = 100;

    private final MetadataState state = new MetadataState();
    private long epoch;
    private long ordinal;

    @BeforeEach
    void twoTables() {
        TableSchema items = TestTable.SCHEMA;
        TableSchema other =
                new TableSchema("other", items.columns(), items.key(), items.hiddenRowId());
        state.apply(new MetadataRecord.ServerJoined(new ServerDescriptor("one", "host:1")));
        state.apply(new MetadataRecord.TableCreated(ITEMS, items, 10, "one"));
        state.apply(new MetadataRecord.TableCreated(OTHER, other, 20, "one"));
    }

    private static LoadRequest request(String label) {
        return LoadRequest.intoExisting(
                "any",
                label,
                DuplicatePolicy.REPLACE,
                Dialect.csv(),
                List.of(0, 1, 2),
                List.of("test.csv"),
                false);
    }

    private void publish(long tableId, String label) {
        epoch++;
        state.apply(
                new MetadataRecord.LoadBegun("load" + epoch, ++ordinal, tableId, request(label)));
        state.apply(new MetadataRecord.LoadPublished("load" + epoch, epoch, 1, ""));
    }

    private static List<Long> epochs(PublishedPage page) {
        return page.loads().stream().map(PublishedLoad::epoch).toList();
    }

    @Test
    void pagesFollowOneAnotherWithoutGapAndTheLastEndsAtTheLatestEpoch() {
        for (int i = 0; i < 10; i++) {
            publish(ITEMS, "");
        }
        List<Long> seen = new ArrayList<>();
        long known = 0;
        while (known < state.epoch()) {
            PublishedPage page = state.publishedSince(known, ONE_AND_A_HALF);
            assertThat(page.upTo()).isEqualTo(page.loads().getLast().epoch());
            assertThat(page.loads()).hasSize(1);
            seen.addAll(epochs(page));
            known = page.upTo();
        }
        assertThat(seen).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
        assertThat(state.publishedSince(known, ONE_AND_A_HALF).loads()).isEmpty();
        assertThat(epochs(state.publishedSince(7, 1 << 20))).containsExactly(8L, 9L, 10L);
    }

    @Test
    void aLoadThatIsLongerThanAPageGoesAlone() {
        publish(ITEMS, "l".repeat(1000));
        publish(ITEMS, "");
        PublishedPage page = state.publishedSince(0, ONE_AND_A_HALF);
        assertThat(epochs(page)).containsExactly(1L);
        assertThat(page.upTo()).isEqualTo(1);
    }

    @Test
    void whatCannotBeInAPageIsNotPromisedByIt() {
        publish(ITEMS, "");
        publish(OTHER, "");
        publish(ITEMS, "");
        PublishedPage page = state.publishedSince(0, 1);
        assertThat(page.upTo()).isEqualTo(1);
        state.apply(new MetadataRecord.TableDropped(OTHER));
        assertThat(state.publishedSince(0, 1).upTo()).isEqualTo(1);
        assertThat(epochs(state.publishedSince(1, 1))).containsExactly(3L);
    }

    @Test
    void loadsOfADroppedTableGoButTheirLoadersAreStillAnswered() {
        publish(ITEMS, "");
        publish(OTHER, "");
        state.apply(new MetadataRecord.TableDropped(OTHER));
        PublishedPage page = state.publishedSince(0, 1 << 20);
        assertThat(epochs(page)).containsExactly(1L);
        assertThat(page.upTo()).isEqualTo(2);
        assertThat(state.publishedSince(1, 1).upTo()).isEqualTo(2);
        assertThat(state.loadState("load2")).isEqualTo(LoadState.PUBLISHED);
        assertThat(state.publishedEpoch("load2")).contains(2L);
    }

    private void abort(String loadId) {
        state.apply(new MetadataRecord.LoadBegun(loadId, ++ordinal, ITEMS, request("")));
        state.apply(new MetadataRecord.LoadAborted(loadId));
    }

    @Test
    void ofAbortedLoadsTheLatestAreRemembered() {
        int aborted = 3 * MetadataState.REMEMBERED_LOADS;
        for (int i = 1; i <= aborted; i++) {
            abort("aborted" + i);
        }
        assertThat(state.rememberedLoads()).isEqualTo(MetadataState.REMEMBERED_LOADS);
        assertThat(state.loadState("aborted" + aborted)).isEqualTo(LoadState.ABORTED);
        assertThat(state.loadState("aborted1")).isEqualTo(LoadState.UNKNOWN);
        assertThat(state.notRunning("aborted1")).hasMessage("there is no load aborted1");
        assertThat(state.nextOrdinal(TestTable.SCHEMA)).isEqualTo(aborted + 1L);
    }

    @Test
    void ofLoadsIntoDroppedTablesTheLatestAreRemembered() {
        int published = MetadataState.REMEMBERED_LOADS + 100;
        publish(ITEMS, "kept");
        for (int i = 0; i < published; i++) {
            publish(OTHER, "");
        }
        state.apply(new MetadataRecord.TableDropped(OTHER));
        assertThat(state.rememberedLoads()).isEqualTo(MetadataState.REMEMBERED_LOADS);
        assertThat(state.loadState("load" + epoch)).isEqualTo(LoadState.PUBLISHED);
        assertThat(state.loadState("load2")).isEqualTo(LoadState.UNKNOWN);
        assertThat(state.loadState("load1")).as("its table exists").isEqualTo(LoadState.PUBLISHED);
        assertThat(state.labelled(ITEMS, "kept")).isPresent();
    }

    @Test
    void aServerIsToldTheLatestEpochOfEachOfItsRegions() {
        publish(ITEMS, "");
        publish(OTHER, "");
        publish(ITEMS, "");
        HostedRegions hosted = state.hosted("one");
        assertThat(hosted.regionIds()).containsExactly(10, 20);
        assertThat(hosted.latestEpochs()).containsExactly(3, 2);
        assertThat(hosted.epoch()).isEqualTo(3);
        state.apply(
                new MetadataRecord.RegionSplit(
                        20, List.of(new MetadataRecord.Part(21, KeyRange.ALL, "one"))));
        assertThat(state.hosted("one").latestEpochs()).containsExactly(3, 0);
        state.apply(new MetadataRecord.TableDropped(ITEMS));
        assertThat(state.hosted("one").latestEpochs()).containsExactly(0);
    }

    @Test
    void whoLooksForALabelIsToldOfNoOther() {
        for (int i = 0; i < 10; i++) {
            state.apply(
                    new MetadataRecord.LoadBegun(
                            "running" + i,
                            ++ordinal,
                            i % 2 == 0 ? ITEMS : OTHER,
                            request("l" + i)));
        }
        assertThat(state.runningLoadsInto(ITEMS, "l4"))
                .singleElement()
                .satisfies(load -> assertThat(load.loadId()).isEqualTo("running4"));
        assertThat(state.runningLoadsInto(ITEMS, "l3")).isEmpty();
        assertThat(state.runningLoadsInto(ITEMS, "")).hasSize(5);
    }

    @Test
    void loadsOfTheSameRegionsShareOneArray() {
        publish(ITEMS, "");
        publish(OTHER, "");
        publish(ITEMS, "");
        List<PublishedLoad> loads = state.publishedSince(0, 1 << 20).loads();
        assertThat(loads.get(2).regionIds()).containsExactly(10).isSameAs(loads.get(0).regionIds());
        assertThat(loads.get(1).regionIds()).containsExactly(20);
    }
}
