package dev.penstock.loader.plan;

import dev.penstock.loader.file.InputFile;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.file.PositionalReader;
import dev.penstock.loader.file.TextStream;
import dev.penstock.sampler.probe.SampleSource;

import org.jspecify.annotations.Nullable;

import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Inputs as the sampler sees them: files at any position, compressed files from their start, pipes
 * by their first {@link #PIPE_HEAD_BYTES}, which the load will read again from memory.
 */
final class InputSample implements AutoCloseable {
    static final int PIPE_HEAD_BYTES = 4 << 20;

    /** Guess of how much larger the text of a compressed file is. */
    static final int COMPRESSION_RATIO = 4;

    private final List<TextStream> streams = new ArrayList<>();
    private final List<SampleSource> sources = new ArrayList<>();

    InputSample(Inputs inputs, long[] dataStarts) {
        for (InputFile file : inputs.files()) {
            long dataStart = dataStarts[file.index()];
            if (file.seekable()) {
                sources.add(new FileSource(file, inputs.channel(file.index()), dataStart));
            } else if (file.reopenable()) {
                TextStream stream = inputs.stream(file.index());
                streams.add(stream);
                sources.add(new StreamSource(file, stream, dataStart));
            } else {
                byte[] head = inputs.head(file.index(), PIPE_HEAD_BYTES);
                sources.add(new HeadSource(file, head, dataStart));
            }
        }
    }

    List<SampleSource> sources() {
        return sources;
    }

    @Override
    public void close() {
        for (TextStream stream : streams) {
            stream.close();
        }
    }

    /** A regular file. */
    private static final class FileSource implements SampleSource {
        private final InputFile file;
        private final FileChannel channel;
        private final long dataStart;
        private @Nullable PositionalReader reader;

        FileSource(InputFile file, FileChannel channel, long dataStart) {
            this.file = file;
            this.channel = channel;
            this.dataStart = dataStart;
        }

        @Override
        public String name() {
            return file.name();
        }

        @Override
        public long dataStart() {
            return dataStart;
        }

        @Override
        public long size() {
            return file.bytes();
        }

        @Override
        public boolean seekable() {
            return true;
        }

        @Override
        public int read(long position, byte[] target, int offset, int length) {
            if (reader == null) {
                reader = new PositionalReader();
            }
            return reader.read(channel, file.name(), position, target, offset, length);
        }
    }

    /** A compressed file, read from its start. */
    private static final class StreamSource implements SampleSource {
        private final InputFile file;
        private final TextStream stream;
        private final long dataStart;
        private long position;

        StreamSource(InputFile file, TextStream stream, long dataStart) {
            this.file = file;
            this.stream = stream;
            this.dataStart = dataStart;
        }

        @Override
        public String name() {
            return file.name();
        }

        @Override
        public long dataStart() {
            return dataStart;
        }

        @Override
        public long size() {
            return dataStart + file.bytes() * COMPRESSION_RATIO;
        }

        @Override
        public boolean seekable() {
            return false;
        }

        @Override
        public int read(long from, byte[] target, int offset, int length) {
            byte[] scratch = new byte[4096];
            while (position < from) {
                int wanted = (int) Math.min(scratch.length, from - position);
                int skipped = stream.read(scratch, 0, wanted);
                if (skipped == 0) {
                    return 0;
                }
                position += skipped;
            }
            int read = stream.read(target, offset, length);
            position += read;
            return read;
        }
    }

    /** The first bytes of a pipe. */
    private record HeadSource(InputFile file, byte[] head, long dataStart) implements SampleSource {
        @Override
        public String name() {
            return file.name();
        }

        @Override
        public long size() {
            return head.length;
        }

        @Override
        public boolean seekable() {
            return true;
        }

        @Override
        public int read(long position, byte[] target, int offset, int length) {
            int read = (int) Math.max(0, Math.min(length, head.length - position));
            if (read > 0) {
                System.arraycopy(head, (int) position, target, offset, read);
            }
            return read;
        }
    }
}
