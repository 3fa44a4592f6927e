package dev.penstock.kv.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.dialect.Dialect;
import dev.penstock.dict.TokenTable;
import dev.penstock.dict.TokenTables;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.kv.region.TestTable;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.step.ChunkText;
import dev.penstock.step.CpuClock;
import dev.penstock.step.Deserialize;
import dev.penstock.step.Merge;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.Verification;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Steps go from a load to the next one like it, and to no other. */
final class KeptStepsTest {
    private static final Instant NOON = Instant.ofEpochSecond(43_200);

    private static final TokenTables NONE = TokenTables.NONE;

    private final KeptSteps kept = new KeptSteps();
    private int loads;

    private LoadDescriptor load(
            TableSchema schema,
            Dialect dialect,
            List<Integer> fieldColumns,
            Verification verification,
            TokenTables tokens) {
        loads++;
        LoadRequest request =
                new LoadRequest(
                        schema.name(),
                        "",
                        DuplicatePolicy.ERROR,
                        dialect,
                        fieldColumns,
                        List.of("file " + loads),
                        false,
                        false,
                        verification,
                        tokens,
                        "");
        return new LoadDescriptor(
                new UUID(7, loads).toString(),
                loads,
                new TableDescriptor(loads, schema),
                request,
                List.of());
    }

    private LoadDescriptor usual() {
        return load(TestTable.SCHEMA, Dialect.csv(), List.of(0, 1, 2), Verification.CHECKSUM, NONE);
    }

    /** Lets a load have steps and end. */
    private FragmentSteps endOne(LoadDescriptor load) {
        IdleSteps idle = kept.take(load);
        FragmentSteps steps = idle.borrowSteps();
        idle.giveBack(steps);
        kept.keep(idle, NOON);
        return steps;
    }

    @Test
    void the_next_load_like_it_has_them_and_nobody_else() {
        FragmentSteps steps = endOne(usual());
        IdleSteps next = kept.take(usual());
        assertThat(next.borrowSteps()).isSameAs(steps);
        assertThat(next.borrowSteps()).isNotSameAs(steps);
        assertThat(kept.take(usual()).borrowSteps()).isNotSameAs(steps);
    }

    @Test
    void a_merge_is_kept_like_the_other_steps() {
        IdleSteps idle = kept.take(usual());
        Merge merge = idle.borrowMerge();
        idle.giveBack(merge);
        kept.keep(idle, NOON);
        assertThat(kept.take(usual()).borrowMerge()).isSameAs(merge);
    }

    @Test
    void a_load_that_differs_in_what_steps_are_made_by_gets_new_ones() {
        TableSchema columns = TestTable.SCHEMA;
        TableSchema otherKey =
                TableSchema.declare("items", columns.columns(), List.of(new KeyColumn(0, true)));
        Verification sums = Verification.CHECKSUM;
        List<Integer> fields = List.of(0, 1, 2);
        TokenTables tokens =
                new TokenTables(
                        Map.of(
                                1,
                                new TokenTable(List.of("word ".getBytes(StandardCharsets.UTF_8)))));
        for (LoadDescriptor other :
                List.of(
                        load(otherKey, Dialect.csv(), fields, sums, NONE),
                        load(columns, Dialect.csv().withComment('#'), fields, sums, NONE),
                        load(columns, Dialect.csv(), List.of(1, 0, 2), sums, NONE),
                        load(columns, Dialect.csv(), fields, Verification.OFF, NONE),
                        load(columns, Dialect.csv(), fields, sums, tokens))) {
            FragmentSteps steps = endOne(usual());
            assertThat(kept.take(other).borrowSteps()).isNotSameAs(steps);
            assertThat(kept.take(usual()).borrowSteps()).as("forgotten").isNotSameAs(steps);
        }
    }

    @Test
    void steps_that_make_row_ids_are_those_of_one_load() {
        TableSchema keyless = TableSchema.declare("items", TestTable.SCHEMA.columns(), List.of());
        LoadDescriptor load =
                load(keyless, Dialect.csv(), List.of(0, 1, 2), Verification.OFF, NONE);
        FragmentSteps steps = endOne(load);
        assertThat(kept.take(load).borrowSteps()).isNotSameAs(steps);
    }

    @Test
    void they_go_after_a_minute() {
        FragmentSteps steps = endOne(usual());
        kept.forgetUnused(NOON.plus(Duration.ofSeconds(59)));
        assertThat(kept.take(usual()).borrowSteps()).isSameAs(steps);
        FragmentSteps others = endOne(usual());
        kept.forgetUnused(NOON.plus(Duration.ofSeconds(60)));
        assertThat(kept.take(usual()).borrowSteps()).isNotSameAs(others);
    }

    @Test
    void what_they_make_for_the_next_load_is_its_own() {
        LoadDescriptor first = usual();
        IdleSteps idle = kept.take(first);
        FragmentSteps steps = idle.borrowSteps();
        assertFragment(steps, first, "3,three,30\n1,one,10\n", 2);
        idle.giveBack(steps);
        kept.keep(idle, NOON);
        LoadDescriptor second = usual();
        assertFragment(kept.take(second).borrowSteps(), second, "9,nine,90\n", 1);
    }

    private static void assertFragment(
            FragmentSteps steps, LoadDescriptor load, String lines, int rows) {
        byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
        ChunkText text = new ChunkText(0, 0, bytes.length);
        byte[] payload = Arrays.copyOf(bytes, text.payloadLength() + Deserialize.PADDING);
        System.arraycopy(text.trailer(), 0, payload, bytes.length, ChunkText.TRAILER_BYTES);
        FragmentHeader header = FragmentHeader.ofText(5, 1);
        FragmentSteps.Staged staged =
                steps.run(
                        header,
                        payload,
                        text.payloadLength(),
                        new BitSet(),
                        new AnsweredRejects(),
                        new CpuClock());
        assertThat(staged.reader().rowCount()).isEqualTo(rows);
        assertThat(staged.sums().rowCount()).isEqualTo(rows);
        assertThat(staged.reader().identity())
                .isEqualTo(SegmentIdentity.ofChunk(UUID.fromString(load.loadId()), 5));
    }
}
