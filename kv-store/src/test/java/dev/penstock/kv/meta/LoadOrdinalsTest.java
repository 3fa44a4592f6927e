package dev.penstock.kv.meta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.dialect.Dialect;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.Deserialize;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadRequest;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Rows of tables without a key are never given an id that other rows have had. */
class LoadOrdinalsTest {
    private static final TableSchema KEYED =
            Ddl.parseCreateTable("CREATE TABLE keyed (a INT PRIMARY KEY)");
    private static final TableSchema KEYLESS = Ddl.parseCreateTable("CREATE TABLE keyless (a INT)");

    private static MetadataState after(long ordinal) {
        MetadataState state = new MetadataState();
        state.apply(new MetadataRecord.ServerJoined(new ServerDescriptor("one", "host:1")));
        state.apply(new MetadataRecord.TableCreated(1, KEYED, 10, "one"));
        LoadRequest request =
                LoadRequest.intoExisting(
                        "keyed",
                        "",
                        DuplicatePolicy.ERROR,
                        Dialect.csv(),
                        List.of(0),
                        List.of("test.csv"),
                        false);
        state.apply(new MetadataRecord.LoadBegun("load", ordinal, 1, request));
        return state;
    }

    @Test
    void theLastOrdinalThatHasIdsOfItsOwnIsGiven() {
        MetadataState state = after(Deserialize.LOAD_ORDINALS - 2);
        assertThat(state.nextOrdinal(KEYLESS)).isEqualTo(Deserialize.LOAD_ORDINALS - 1);
        assertThat(state.nextOrdinal(KEYED)).isEqualTo(Deserialize.LOAD_ORDINALS - 1);
    }

    @Test
    void beyondItTablesWithoutAKeyAreRefused() {
        MetadataState state = after(Deserialize.LOAD_ORDINALS - 1);
        assertThatThrownBy(() -> state.nextOrdinal(KEYLESS))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("Table keyless has no primary key and takes no more rows")
                .extracting(e -> ((PenstockException) e).category())
                .isEqualTo(ErrorCategory.LIMIT);
        assertThat(state.nextOrdinal(KEYED)).isEqualTo(Deserialize.LOAD_ORDINALS);
    }
}
