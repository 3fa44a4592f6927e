package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
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
                try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
                    file.truncate(4096);
                }
            }
            PenstockException failure = catchThrowableOfType(PenstockException.class, store::scan);
            assertThat(failure.category()).isEqualTo(ErrorCategory.IO);
            assertThat(failure).hasMessageContaining(segments.getFirst().toString());
        }
    }

    private List<Path> segments() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".seg")).toList();
        }
    }
}
