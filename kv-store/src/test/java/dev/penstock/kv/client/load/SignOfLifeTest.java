package dev.penstock.kv.client.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.dialect.Dialect;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadState;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.kv.server.EmbeddedCluster;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTarget;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A loader whose load another has resumed learns it, and leaves the load alone. */
@Timeout(60)
final class SignOfLifeTest {
    private static final long ANOTHER = 9;

    private static LoadRequest resumable() {
        return LoadRequest.intoExisting(
                        "t",
                        "monday",
                        DuplicatePolicy.ERROR,
                        Dialect.csv(),
                        List.of(0),
                        List.of("x"),
                        false)
                .withPlan("the plan");
    }

    @Test
    void aLoaderLearnsThatItsLoadHasBeenResumedAndDoesNotEndIt(@TempDir Path folder) {
        try (EmbeddedCluster cluster = EmbeddedCluster.open(folder);
                LoadTarget target = StoreLoadTarget.of(cluster)) {
            MetadataService metadata = cluster.metadata();
            metadata.createTable(Ddl.parseCreateTable("CREATE TABLE t (a INT)"));
            List<PenstockException> ends = new ArrayList<>();
            try (LoadSession session = target.begin(resumable(), ack -> {});
                    SignOfLife sign =
                            new SignOfLife(
                                    metadata,
                                    session.loadId(),
                                    MetadataService.FIRST_LOADER,
                                    ends::add)) {
                sign.give();
                assertThat(ends).isEmpty();
                metadata.releaseLoad(session.loadId(), MetadataService.FIRST_LOADER);
                metadata.resumeLoad(session.loadId(), ANOTHER);
                sign.give();
                assertThat(ends)
                        .singleElement()
                        .satisfies(end -> {
                            assertThat(end.category()).isEqualTo(ErrorCategory.CONFLICT);
                            assertThat(end).hasMessageContaining("another loader has resumed load");
                        });
                assertThatThrownBy(session::abort).hasMessageContaining("another loader");
                assertThat(metadata.signOfLife(session.loadId(), ANOTHER))
                        .isEqualTo(LoadState.RUNNING);
                metadata.abort(session.loadId());
                sign.give();
                assertThat(ends).hasSize(2);
                assertThat(ends.getLast()).hasMessageContaining("was aborted");
            }
        }
    }
}
