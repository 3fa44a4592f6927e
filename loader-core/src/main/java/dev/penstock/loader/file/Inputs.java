package dev.penstock.loader.file;

import dev.penstock.bytes.PositionalReader;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.PumpedInput;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * All inputs of a load. Files can be read at any position by many threads ({@link #text}), and only
 * some of them are open at a time; everything else is a {@link TextStream}, opened again for each
 * reader if it is a compressed file and opened once if it is a pipe. Closing closes all but
 * standard input.
 */
public final class Inputs implements AutoCloseable {
    private final List<InputFile> files;
    private final List<String> notes;
    private final OpenFiles openFiles;
    private final Map<Integer, TextStream> pipes;

    private Inputs(
            List<InputFile> files,
            List<String> notes,
            OpenFiles openFiles,
            Map<Integer, TextStream> pipes) {
        this.files = List.copyOf(files);
        this.notes = List.copyOf(notes);
        this.openFiles = openFiles;
        this.pipes = pipes;
    }

    /** Opens what the words name; {@code -} is {@code standardInput}. */
    public static Inputs open(List<String> words, InputStream standardInput) {
        return open(words, standardInput, PumpedInput::of);
    }

    /**
     * The same.
     *
     * @param openPipe opens a named pipe or a device; called before anything waits for it
     */
    public static Inputs open(
            List<String> words, InputStream standardInput, Function<Path, InputStream> openPipe) {
        return open(words, standardInput, openPipe, OwnOutputs.ofProcess());
    }

    static Inputs open(
            List<String> words,
            InputStream standardInput,
            Function<Path, InputStream> openPipe,
            OwnOutputs outputs) {
        List<InputFile> files = new ArrayList<>();
        InputResolver resolver = new InputResolver(outputs);
        OpenFiles openFiles = new OpenFiles();
        PositionalReader reader = new PositionalReader(Compression.MAGIC_BYTES);
        Map<Integer, TextStream> pipes = new HashMap<>();
        Inputs opened = null;
        try {
            for (NamedPath named : resolver.resolve(words)) {
                int index = files.size();
                Path path = named == null ? null : named.path();
                files.add(
                        named != null && Files.isRegularFile(named.path())
                                ? openFiles.add(index, named, reader)
                                : openPipe(index, path, standardInput, openPipe, pipes));
            }
            opened = new Inputs(files, resolver.notes(), openFiles, pipes);
            return opened;
        } catch (IOException e) {
            throw PenstockException.io("An input could not be opened: " + e, e);
        } finally {
            if (opened == null) {
                new Inputs(List.of(), List.of(), openFiles, pipes).close();
            }
        }
    }

    private static InputFile openPipe(
            int index,
            @Nullable Path path,
            InputStream standardInput,
            Function<Path, InputStream> openPipe,
            Map<Integer, TextStream> pipes) {
        if (path == null) {
            TextStream stream = TextStream.open("standard input", standardInput, false);
            pipes.put(index, stream);
            return new InputFile(index, "-", null, stream.compression(), -1, -1);
        }
        String name = path.toString();
        TextStream stream = TextStream.open(name, openPipe.apply(path), true);
        pipes.put(index, stream);
        return new InputFile(index, name, path, stream.compression(), -1, -1);
    }

    public List<InputFile> files() {
        return files;
    }

    /** What the words seem to mean and is not read, one sentence each. */
    public List<String> notes() {
        return notes;
    }

    public InputFile file(int index) {
        return files.get(index);
    }

    public int count() {
        return files.size();
    }

    /** Bytes of all inputs as stored, or -1 if one of them is a pipe. */
    public long totalBytes() {
        long total = 0;
        for (InputFile file : files) {
            if (file.bytes() < 0) {
                return -1;
            }
            total += file.bytes();
        }
        return total;
    }

    /** Bytes of the text of all inputs, or -1 if one of them is a pipe or compressed. */
    public long textBytes() {
        return files.stream().allMatch(InputFile::seekable) ? totalBytes() : -1;
    }

    /** What a regular file was when it was opened first; nothing known of a pipe. */
    public FileState state(int index) {
        return openFiles.state(index);
    }

    /**
     * Looks at all regular files again; when they have been read, and before what was read counts.
     *
     * @throws PenstockException of category DATA if one has been replaced or written to since it
     *     was opened first, of category IO if that cannot be seen
     */
    public void checkUnchanged() {
        openFiles.checkUnchanged();
    }

    /**
     * Looks at one input and a few others, which come in turn, as {@link #checkUnchanged} does at
     * all: while they are read, so that a load of one that changes ends early.
     */
    public void checkSome(int index) {
        openFiles.checkSome(index);
    }

    /** The bytes of a regular file, as stored. */
    public FileText text(int index) {
        if (!openFiles.has(index)) {
            throw PenstockException.internal(files.get(index).name() + " is no regular file");
        }
        return new FileText(openFiles, files.get(index));
    }

    /** The text of an input from its start; a pipe's can be had only once. */
    public TextStream stream(int index) {
        TextStream pipe = pipes.get(index);
        return pipe != null ? pipe : openAgain(index);
    }

    private TextStream openAgain(int index) {
        InputFile file = files.get(index);
        return TextStream.open(file, openFiles.stream(file));
    }

    /** The first bytes of an input's text. A pipe gives them again to its reader. */
    public byte[] head(int index, int bytes) {
        TextStream pipe = pipes.get(index);
        if (pipe != null) {
            return pipe.head(bytes);
        }
        try (TextStream stream = openAgain(index)) {
            return stream.head(bytes);
        }
    }

    @Override
    public void close() {
        try {
            openFiles.close();
        } finally {
            for (TextStream pipe : pipes.values()) {
                pipe.close();
            }
        }
    }
}
