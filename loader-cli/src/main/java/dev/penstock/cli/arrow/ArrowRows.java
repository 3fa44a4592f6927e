package dev.penstock.cli.arrow;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.cli.render.RowSink;
import dev.penstock.schema.TableSchema;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.List;

/** Rows as an Arrow IPC stream, one record batch per batch; not compressed. */
public final class ArrowRows implements RowSink {
    /**
     * How a message of eight bytes begins that does not follow. A stream that just ends after a
     * batch would be whole to readers, whether it has an end mark or not.
     */
    private static final byte[] CUT = {-1, -1, -1, -1, 8, 0, 0, 0};

    private final BufferAllocator allocator = new RootAllocator();
    private final VectorFiller filler = new VectorFiller();
    private final VectorSchemaRoot root;
    private final ArrowStreamWriter writer;
    private final OutputStream out;
    private boolean started;
    private boolean finished;

    public ArrowRows(TableSchema schema, int[] columns, OutputStream out) {
        List<Field> fields =
                Arrays.stream(columns)
                        .mapToObj(index -> ArrowTypes.field(schema.column(index)))
                        .toList();
        this.out = out;
        root = VectorSchemaRoot.create(new Schema(fields), allocator);
        writer = new ArrowStreamWriter(root, null, Channels.newChannel(new Unclosed(out)));
    }

    @Override
    public void rows(ColumnBatch batch) throws IOException {
        for (int i = 0; i < batch.columnCount(); i++) {
            filler.fill(root.getVector(i), batch.column(i), batch.rowCount());
        }
        root.setRowCount(batch.rowCount());
        started = true;
        writer.writeBatch();
    }

    /** Writes the end of the stream; a stream without rows still has its schema. */
    @Override
    public void finish() throws IOException {
        writer.start();
        writer.end();
        finished = true;
    }

    /** Cuts a stream that has begun and is not finished. Closing its writer would end it. */
    @Override
    public void close() throws IOException {
        try {
            if (finished) {
                writer.close();
            } else if (started) {
                out.write(CUT);
            }
        } finally {
            root.close();
            allocator.close();
        }
    }

    /** The stream stays the caller's: Arrow closes what it wrote to, this keeps it open. */
    private static final class Unclosed extends OutputStream {
        private final OutputStream out;

        Unclosed(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int value) throws IOException {
            out.write(value);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }
    }
}
