package dev.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.jdbc.ChangedSessions;
import dev.penstock.jdbc.ChangedSessions.Instead;
import dev.penstock.key.KeyCodec;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Table;
import dev.penstock.kv.api.PublishedLoad;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.sql.TableWrite.Change;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadTarget;

import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.linq4j.QueryProvider;
import org.apache.calcite.schema.SchemaPlus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;

/** Rows on their way from a statement into a table: few at once, many as a load. */
final class StatementRowsTest {
    private static final int MANY = 10_000;

    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Penstock store;

    @SuppressWarnings("NullAway.Init") // made before each test
    private Table table;

    private final AtomicBoolean cancelled = new AtomicBoolean();

    @BeforeEach
    void open() {
        store = Penstock.open(folder.resolve("store"));
        table = create("CREATE TABLE t (id INTEGER NOT NULL, s VARCHAR(9000), PRIMARY KEY (id))");
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Table create(String sql) {
        store.createTable(Ddl.parseCreateTable(sql));
        return store.table(Ddl.parseCreateTable(sql).name());
    }

    @ParameterizedTest
    @CsvSource({"INSERT,3", "UPSERT,3", "INSERT,10000", "UPSERT,10000"})
    void a_statement_that_is_cancelled_right_before_it_stores_leaves_nothing(
            Change change, int count) {
        assertThatThrownBy(() ->
                        write(change, count, StatementRowsTest::letter, () -> cancelled.set(true)))
                .isInstanceOf(StatementCancelled.class);
        assertNothingLeft();
        cancelled.set(false);
        write(change, count, StatementRowsTest::letter, () -> {});
        assertThat(table.count()).isEqualTo(count);
    }

    @Test
    void a_deletion_that_is_cancelled_right_before_it_begins_deletes_nothing() {
        write(Change.INSERT, 3, StatementRowsTest::letter, () -> {});
        assertThatThrownBy(() ->
                        write(
                                Change.DELETE,
                                3,
                                StatementRowsTest::letter,
                                () -> cancelled.set(true)))
                .isInstanceOf(StatementCancelled.class);
        assertThat(table.count()).isEqualTo(3);
    }

    @Test
    void many_rows_whose_last_has_a_key_that_is_there_are_refused() {
        write(Change.UPSERT, 1, StatementRowsTest::letter, () -> {});
        Enumerable<@Nullable Object> rows =
                rows(MANY, i -> MANY - 1 - i, StatementRowsTest::letter, () -> {});
        assertThatThrownBy(() -> write(Change.INSERT, rows))
                .isInstanceOf(DuplicateKey.class)
                .hasMessage("table t has a row with key (id=0) already; UPSERT INTO replaces rows");
        assertThat(table.count()).isOne();
        assertThat(write(Change.UPSERT, rows)).isEqualTo(MANY);
        assertThat(table.count()).isEqualTo(MANY);
    }

    @Test
    void few_rows_with_a_key_that_is_there_are_refused_by_the_same_words() {
        write(Change.UPSERT, 1, StatementRowsTest::letter, () -> {});
        assertThatThrownBy(() ->
                        write(
                                Change.INSERT,
                                rows(3, i -> 2 - i, StatementRowsTest::letter, () -> {})))
                .isInstanceOf(DuplicateKey.class)
                .hasMessage("table t has a row with key (id=0) already; UPSERT INTO replaces rows");
        assertThat(table.count()).isOne();
    }

    @Test
    void of_equal_keys_an_insert_takes_none_and_an_upsert_the_last() {
        IntFunction<Object> id = i -> i / 2;
        Enumerable<@Nullable Object> rows = rows(MANY, id, i -> "row " + i, () -> {});
        assertThatThrownBy(() -> write(Change.INSERT, rows)).isInstanceOf(DuplicateKey.class);
        assertNothingLeft();
        assertThat(write(Change.UPSERT, rows)).isEqualTo(MANY);
        assertThat(table.count()).isEqualTo(MANY / 2);
        assertThat(text(MANY / 2 - 1)).isEqualTo("row " + (MANY - 1));
        assertThat(text(0)).isEqualTo("row 1");
    }

    @ParameterizedTest
    @CsvSource({"4096,1,0", "4097,1,1", "1800,9000,0", "1900,9000,1", "20000,9000,1"})
    void many_rows_and_many_bytes_are_a_load(int count, int length, int loads) {
        write(Change.INSERT, count, _ -> "y".repeat(length), () -> {});
        assertThat(loads()).hasSize(loads);
        assertThat(loads()).allMatch(load -> load.rowCount() == count);
        assertThat(table.count()).isEqualTo(count);
        assertThat(text(count - 1)).hasSize(length);
    }

    @Test
    void a_table_without_a_key_takes_equal_rows() {
        table = create("CREATE TABLE log (n INTEGER, s VARCHAR(9))");
        write(Change.INSERT, MANY, StatementRowsTest::letter, () -> {});
        assertThat(table.count()).isEqualTo(MANY);
        write(Change.INSERT, MANY, StatementRowsTest::letter, () -> {});
        assertThat(table.count()).isEqualTo(2 * MANY);
        assertThat(loads()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"true,40003", "false,08006"})
    void an_answer_that_is_lost_leaves_no_doubt_unsaid(boolean published, String state) {
        Instead publish =
                real -> {
                    if (published) {
                        real.run();
                    }
                    throw new PenstockException(ErrorCategory.RETRY, "the answer was lost");
                };
        LoadTarget target = ChangedSessions.of(table.loadTarget(), Map.of("publish", publish));
        try (StatementLoad load = StatementLoad.begin(table, target, DuplicatePolicy.ERROR)) {
            load.send(batch());
            RuntimeException failure =
                    catchThrowableOfType(RuntimeException.class, () -> load.publish(() -> {}));
            SQLException told = SqlErrors.of(failure, false);
            assertThat(told.getSQLState()).isEqualTo(state);
            if (published) {
                assertThat((Throwable) told).hasMessageContaining("its rows are visible");
            }
        }
        assertThat(table.count()).isEqualTo(published ? 1 : 0);
        assertThat(running()).isZero();
    }

    private static Object letter(int row) {
        return "x";
    }

    private ColumnBatch batch() {
        ColumnBatch rows = ColumnBatch.forColumns(table.schema().columns(), 1);
        rows.longs(0).values()[0] = 7;
        rows.bytes(1).append(0, new byte[] {'z'}, 0, 1);
        rows.setRowCount(1);
        return rows;
    }

    private void assertNothingLeft() {
        assertThat(table.count()).isZero();
        assertThat(loads()).isEmpty();
        assertThat(running()).isZero();
    }

    private List<PublishedLoad> loads() {
        return store.cluster().metadata().publishedSince(0).loads();
    }

    private int running() {
        return store.status().runningLoads().size();
    }

    /** What is stored in the second column. */
    private String text(int id) {
        ColumnBatch key = batch();
        key.longs(0).values()[0] = id;
        byte[] encoded = new KeyCodec(table.schema()).encode(key, 0);
        ColumnBatch found = table.get(encoded).orElseThrow();
        return new String(found.bytes(1).get(0), StandardCharsets.UTF_8);
    }

    private long write(Change change, int count, IntFunction<Object> text, Runnable atEnd) {
        return write(change, rows(count, i -> i, text, atEnd));
    }

    private long write(Change change, Enumerable<@Nullable Object> rows) {
        TableWrite write = new TableWrite(table, change, new int[0], 2);
        return (Long) write.write(rows, new Run(cancelled)).first();
    }

    /**
     * Rows of two values.
     *
     * @param atEnd happens when there is no more
     */
    private static Enumerable<@Nullable Object> rows(
            int count, IntFunction<Object> id, IntFunction<Object> text, Runnable atEnd) {
        Iterable<@Nullable Object> rows =
                () ->
                        new Iterator<>() {
                            private int next;

                            @Override
                            public boolean hasNext() {
                                if (next == count) {
                                    atEnd.run();
                                }
                                return next < count;
                            }

                            @Override
                            public Object next() {
                                int row = next++;
                                return new Object[] {id.apply(row), text.apply(row)};
                            }
                        };
        return Linq4j.asEnumerable(rows);
    }

    /** A run of a statement without parameters. */
    private record Run(AtomicBoolean cancelled) implements DataContext {
        @Override
        public @Nullable Object get(String name) {
            return name.equals(Variable.CANCEL_FLAG.camelName) ? cancelled : null;
        }

        @Override
        public @Nullable SchemaPlus getRootSchema() {
            return null;
        }

        @Override
        public JavaTypeFactory getTypeFactory() {
            throw new UnsupportedOperationException();
        }

        @Override
        public QueryProvider getQueryProvider() {
            throw new UnsupportedOperationException();
        }
    }
}
