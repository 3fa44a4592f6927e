package dev.penstock.loader.plan;

import dev.penstock.bytes.PositionalReader;
import dev.penstock.loader.file.FileText;
import dev.penstock.loader.file.InputFile;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.file.TextStream;
import dev.penstock.sampler.probe.SampleSource;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Inputs as the sampler sees them: files at any position, compressed files from their start, pipes
 * by their first {@link #PIPE_HEAD_BYTES}, which the load will read again from memory.
 *
 * <p>There may be thousands of files, so they share what it takes to read one: the sampler is one
 * thread, and its blocks come in the order of the sources. So one compressed file is open at a
 * time; who goes back to one before reads it again from its start.
 */
final class InputSample implements AutoCloseable {
    static final int PIPE_HEAD_BYTES = 4 << 20;

    /** Of all pipes together, where the heap has room for more than their least. */
    private static final long PIPES_HEAD_BYTES =
            Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 16);

    /** Guess of how much larger the text of a compressed file is. */
    static final int COMPRESSION_RATIO = 4;

    private final Inputs inputs;
    private final PositionalReader reader = new PositionalReader();
    private final List<SampleSource> sources = new ArrayList<>();

    // The compressed file that was read last: which it is, and how far it has been read.
    private @Nullable TextStream stream;
    private int streamIndex = -1;
    private long streamPosition;

    InputSample(Inputs inputs, long[] dataStarts) {
        this.inputs = inputs;
        int headBytes = pipeHeadBytes(inputs);
        for (InputFile file : inputs.files()) {
            long dataStart = dataStarts[file.index()];
            if (file.seekable()) {
                sources.add(new FileSource(file, inputs.text(file.index()), dataStart));
            } else if (file.reopenable()) {
                sources.add(new StreamSource(file, dataStart));
            } else {
                byte[] head = inputs.head(file.index(), headBytes);
                sources.add(new HeadSource(file, head, dataStart));
            }
        }
    }

    private static int pipeHeadBytes(Inputs inputs) {
        long pipes = inputs.files().stream().filter(file -> !file.reopenable()).count();
        return Math.clamp(
                PIPES_HEAD_BYTES / Math.max(1, pipes), DialectChooser.HEAD_BYTES, PIPE_HEAD_BYTES);
    }

    List<SampleSource> sources() {
        return sources;
    }

    @Override
    public void close() {
        TextStream open = stream;
        stream = null;
        if (open != null) {
            open.close();
        }
    }

    /** The stream of a compressed file, at a position; null if it ends before that. */
    private @Nullable TextStream streamAt(int index, long position) {
        TextStream open = stream;
        if (open == null || streamIndex != index || streamPosition > position) {
            close();
            open = inputs.stream(index);
            stream = open;
            streamIndex = index;
            streamPosition = 0;
        }
        streamPosition += open.skip(position - streamPosition);
        return streamPosition < position ? null : open;
    }

    /** A regular file. */
    private final class FileSource implements SampleSource {
        private final InputFile file;
        private final FileText text;
        private final long dataStart;

        FileSource(InputFile file, FileText text, long dataStart) {
            this.file = file;
            this.text = text;
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
            return text.read(reader, position, target, offset, length);
        }
    }

    /** A compressed file, read from its start. */
    private final class StreamSource implements SampleSource {
        private final InputFile file;
        private final long dataStart;

        StreamSource(InputFile file, long dataStart) {
            this.file = file;
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
        public int read(long position, byte[] target, int offset, int length) {
            TextStream open = streamAt(file.index(), position);
            if (open == null) {
                return 0;
            }
            int read = open.read(target, offset, length);
            streamPosition += read;
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
