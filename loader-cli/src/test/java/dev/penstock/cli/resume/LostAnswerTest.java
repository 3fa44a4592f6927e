package dev.penstock.cli.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.cli.resume.MortalTarget.Moment;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.LoadSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A load that is kept to be resumed, and may be visible nevertheless. */
final class LostAnswerTest {
    private static final String DDL =
            "CREATE TABLE t (id BIGINT NOT NULL, note VARCHAR(9), PRIMARY KEY (id))";

    @TempDir private Path folder;

    @Test
    void a_load_that_is_cancelled_when_the_answer_to_publishing_is_lost_is_in_doubt()
            throws IOException {
        Path file = Files.writeString(folder.resolve("t.csv"), "1,a\n2,b\n");
        LoadSpec spec =
                LoadSpec.builder("t")
                        .from(file.toString())
                        .schema(Ddl.parseCreateTable(DDL))
                        .label("night")
                        .resume(true)
                        .build();
        try (Penstock penstock = Penstock.open(folder.resolve("store"))) {
            BulkLoad[] load = new BulkLoad[1];
            Runnable lost =
                    () -> {
                        load[0].cancel();
                        throw PenstockException.io("The answer was lost.", new IOException("cut"));
                    };
            MortalTarget target = MortalTarget.observed(penstock, Moment.PUBLISH, lost);
            load[0] = BulkLoad.into(target, "t").spec(spec).build();
            assertThatThrownBy(() -> load[0].run())
                    .hasMessageStartingWith("The answer was lost.")
                    .hasMessageContaining("is kept");
            assertThat(load[0].inDoubt()).isTrue();
            BulkLoad again = BulkLoad.into(penstock.loadTarget(), "t").spec(spec).build();
            assertThat(again.run().rowsLoaded()).isEqualTo(2);
        }
    }
}
