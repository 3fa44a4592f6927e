package dev.penstock.bench.endtoend;

import dev.penstock.bench.contender.Workload;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A file's lines in random order. They are dealt at random to parts that fit in memory; then each
 * part is shuffled and written.
 */
final class ShuffledFile {
    private static final long BYTES_PER_PART = 32 << 20;
    private static final int MAX_PARTS = 500;

    private ShuffledFile() {}

    /** Writes it into the folder; a header stays the first line. */
    static Path of(Workload workload, Path folder, long seed) throws IOException {
        Random random = new Random(seed);
        Path shuffled = folder.resolve("shuffled" + suffix(workload.file()));
        int count = Math.clamp(workload.bytes() / BYTES_PER_PART + 1, 1, MAX_PARTS);
        List<Path> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            parts.add(folder.resolve("part-" + i));
        }
        try (InputStream in = open(workload.file());
                OutputStream out = create(shuffled)) {
            if (workload.format().header()) {
                out.write(line(in));
            }
            deal(in, parts, random);
            for (Path part : parts) {
                List<byte[]> lines = lines(part);
                Collections.shuffle(lines, random);
                for (byte[] line : lines) {
                    out.write(line);
                }
                Files.delete(part);
            }
        }
        return shuffled;
    }

    private static void deal(InputStream in, List<Path> parts, Random random) throws IOException {
        List<OutputStream> outs = new ArrayList<>();
        try {
            for (Path part : parts) {
                outs.add(create(part));
            }
            for (byte[] line = line(in); line.length > 0; line = line(in)) {
                outs.get(random.nextInt(outs.size())).write(line);
            }
        } finally {
            for (OutputStream out : outs) {
                out.close();
            }
        }
    }

    private static List<byte[]> lines(Path part) throws IOException {
        List<byte[]> lines = new ArrayList<>();
        try (InputStream in = open(part)) {
            for (byte[] line = line(in); line.length > 0; line = line(in)) {
                lines.add(line);
            }
        }
        return lines;
    }

    /** The next line with its line end; empty at the end. */
    private static byte[] line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        int next = in.read();
        while (next >= 0) {
            line.write(next);
            next = next == '\n' ? -1 : in.read();
        }
        return line.toByteArray();
    }

    private static InputStream open(Path file) throws IOException {
        return new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    }

    private static OutputStream create(Path file) throws IOException {
        return new BufferedOutputStream(Files.newOutputStream(file), 1 << 14);
    }

    private static String suffix(Path file) {
        String name = file.getFileName().toString();
        return name.substring(Math.max(0, name.lastIndexOf('.')));
    }
}
