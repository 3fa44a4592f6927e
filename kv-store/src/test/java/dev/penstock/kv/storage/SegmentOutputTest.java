package dev.penstock.kv.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnSums;
import dev.penstock.error.PenstockException;
import dev.penstock.segment.SegmentSummary;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

class SegmentOutputTest {
    @TempDir Path folder;
    private final List<StorageFile> closed = new ArrayList<>();

    /** Its bulk files tell when they are closed that something could not be written. */
    private Storage fullDisk() {
        NioStorage disk = new NioStorage();
        return (Storage)
                Proxy.newProxyInstance(
                        Storage.class.getClassLoader(),
                        new Class<?>[] {Storage.class},
                        (_, method, arguments) -> {
                            try {
                                Object result = method.invoke(disk, arguments);
                                return method.getName().equals("createBulk")
                                        ? new FullFile((StorageFile) result)
                                        : result;
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    private final class FullFile implements StorageFile {
        private final StorageFile file;

        FullFile(StorageFile file) {
            this.file = file;
        }

        @Override
        public void write(byte[] bytes, int offset, int count) {
            file.write(bytes, offset, count);
        }

        @Override
        public long position() {
            return file.position();
        }

        @Override
        public void force() {
            file.force();
        }

        @Override
        public void reserve(int bytes) {
            file.reserve(bytes);
        }

        @Override
        public void cutBack(long position) {
            file.cutBack(position);
        }

        @Override
        public void close() {
            file.close();
            closed.add(this);
            throw PenstockException.io("full", new IOException("No space left on device"));
        }
    }

    @Test
    void ofFilesThatAreDiscardedAllAreClosedAndRemovedThoughClosingFails() throws IOException {
        SegmentOutput output = new SegmentOutput(fullDisk(), new RegionFiles(folder, 1), "layer-1");
        for (int i = 0; i < 3; i++) {
            output.open(i).write(new byte[100], 0, 100);
            output.close(
                    i,
                    new SegmentSummary(
                            i, 1, 100, new byte[1], new byte[1], List.of(), ColumnSums.NONE));
        }
        output.open(3).write(new byte[100], 0, 100);
        output.discard();
        assertThat(closed).hasSize(4);
        try (var left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }
}
