package dev.penstock.kv.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kv.storage.LogKind;
import dev.penstock.kv.storage.LogWriter;
import dev.penstock.kv.storage.NioStorage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.AbstractList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** A change that is logged and then, as memory is used up, applied in part only. */
final class LoggedDeltaTest {
    @TempDir private Path folder;

    private static WriteOperation.Change row(int key) {
        return new WriteOperation.Change(new byte[] {(byte) key}, new byte[] {1});
    }

    /** Two rows that can be gone through once; from then on only the first is there. */
    private static final class TornList extends AbstractList<WriteOperation.Change> {
        private int walks;

        @Override
        public WriteOperation.Change get(int index) {
            return row(10 + index);
        }

        @Override
        public int size() {
            return 2;
        }

        @Override
        public Iterator<WriteOperation.Change> iterator() {
            walks++;
            boolean torn = walks > 1;
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    return next < 2;
                }

                @Override
                public WriteOperation.Change next() {
                    if (next > 1) {
                        throw new NoSuchElementException();
                    }
                    if (torn && next == 1) {
                        throw new OutOfMemoryError("Java heap space");
                    }
                    return get(next++);
                }
            };
        }
    }

    @Test
    void is_never_seen_and_nothing_after_it_is_taken() {
        Delta delta = new Delta(0, new RowMemory(1 << 30).share());
        LoggedDelta logged = new LoggedDelta(delta);
        long before = append(logged, new WriteOperation(List.of(row(1))));
        WriteOperation torn = new WriteOperation(new TornList());
        assertThatThrownBy(() -> append(logged, torn)).isInstanceOf(OutOfMemoryError.class);
        logged.commit(before);
        assertThat(delta.snapshot().get(new byte[] {1})).isNotNull();
        assertThatThrownBy(() -> append(logged, new WriteOperation(List.of(row(2)))))
                .hasMessageContaining("restart the server");
        assertThatThrownBy(logged::commitAll).hasMessageContaining("restart the server");
        assertThat(delta.snapshot().get(new byte[] {10})).isNull();
        logged.close();
    }

    private long append(LoggedDelta logged, WriteOperation operation) {
        return logged.append(
                operation,
                () ->
                        new WriteAheadLog(
                                LogWriter.create(
                                        new NioStorage(),
                                        folder.resolve("log-0"),
                                        LogKind.WRITE_AHEAD,
                                        3)));
    }
}
