package dev.penstock.kv.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

class ClosedFileTest {
    @TempDir Path folder;

    /** A region that is dropped closes its log while writers wait for it to be forced. */
    @Test
    void aFileThatWasClosedIsNotADiskThatHasFailed() {
        NioStorage storage = new NioStorage();
        StorageFile closed = storage.create(folder.resolve("closed"));
        closed.close();
        assertThatThrownBy(closed::force)
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("it was closed meanwhile");
        StorageFile other = storage.create(folder.resolve("other"));
        other.force();
        other.close();
        assertThat(folder.resolve("other")).exists();
    }
}
