package dev.penstock.kv.node;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Something that happened to one or two files.
 *
 * @param kind what was done, and to what kind of file
 * @param files their new contents
 */
record Damage(String kind, String description, Map<Path, byte[]> files) {
    /** In place of contents: the file is not there any more. */
    private static final byte[] GONE = new byte[0];

    private static final int[] PAGES = {512, 4096};

    /** Whether an error names one of the files, or another one of the store that misses it. */
    boolean isNamedIn(String message, Path home) {
        return message.contains(home.toString())
                || files.keySet().stream()
                        .anyMatch(file -> message.contains("file " + file.getFileName()));
    }

    static Damage random(Map<Path, byte[]> files, Map<Path, List<byte[]>> versions, Random random) {
        while (true) {
            Path file = pick(files, random);
            byte[] bytes = contents(files, file).clone();
            int kind = random.nextInt(11);
            String name =
                    switch (kind) {
                        case 0, 1 -> flip(bytes, random);
                        case 2, 3 -> "cut";
                        case 4 -> zero(bytes, random);
                        case 5 -> swapWithin(bytes, random);
                        case 6 -> copyFrom(files, file, bytes, random);
                        case 7 -> "stale";
                        case 8 -> "gone";
                        case 9 -> "longer";
                        default -> "exchanged";
                    };
            Map<Path, byte[]> changed =
                    switch (name) {
                        case "cut" -> Map.of(file, cut(bytes, random));
                        case "stale" -> stale(file, versions, random);
                        case "gone" -> Map.of(file, GONE);
                        case "longer" -> Map.of(file, longer(bytes, random));
                        case "exchanged" -> exchanged(files, file, random);
                        default -> Map.of(file, bytes);
                    };
            boolean same =
                    changed.entrySet().stream()
                            .allMatch(e -> Arrays.equals(e.getValue(), files.get(e.getKey())));
            if (!same) {
                String what = name + " " + type(file);
                int length = contents(changed, file).length;
                return new Damage(what, name + " " + file + ", now " + length + " bytes", changed);
            }
        }
    }

    private static byte[] contents(Map<Path, byte[]> files, Path file) {
        return files.getOrDefault(file, GONE);
    }

    /** Whether the new contents stand for none. */
    @SuppressWarnings("ReferenceEquality")
    static boolean isGone(byte[] contents) {
        return contents == GONE;
    }

    /** Each kind of file as often as each other. */
    private static Path pick(Map<Path, byte[]> files, Random random) {
        List<String> types = files.keySet().stream().map(Damage::type).distinct().toList();
        String type = types.get(random.nextInt(types.size()));
        return pick(files, type, random);
    }

    private static Path pick(Map<Path, byte[]> files, String type, Random random) {
        List<Path> all = files.keySet().stream().filter(f -> type(f).equals(type)).toList();
        return all.get(random.nextInt(all.size()));
    }

    private static String type(Path file) {
        String name = file.getFileName().toString();
        if (file.toString().contains("/checkpoints/")) {
            return "checkpoints";
        }
        return name.endsWith(".seg") ? "segment" : name.startsWith("log-") ? "log" : name;
    }

    private static String flip(byte[] bytes, Random random) {
        if (bytes.length == 0) {
            return "flip";
        }
        int near = random.nextBoolean() ? bytes.length : Math.min(bytes.length, 256);
        int from = random.nextBoolean() ? 0 : bytes.length - near;
        for (int count = random.nextInt(4); count >= 0; count--) {
            bytes[from + random.nextInt(near)] ^= (byte) (1 << random.nextInt(8));
        }
        return "flip";
    }

    private static byte[] cut(byte[] bytes, Random random) {
        int length = random.nextInt(bytes.length + 1);
        return Arrays.copyOf(bytes, random.nextInt(3) == 0 ? length / 512 * 512 : length);
    }

    private static int page(byte[] bytes, int size, Random random) {
        return random.nextInt((bytes.length + size - 1) / size) * size;
    }

    private static String zero(byte[] bytes, Random random) {
        int size = PAGES[random.nextInt(2)];
        int at = bytes.length == 0 ? 0 : page(bytes, size, random);
        Arrays.fill(bytes, at, Math.min(bytes.length, at + size), (byte) 0);
        return "zero";
    }

    private static String swapWithin(byte[] bytes, Random random) {
        int size = PAGES[random.nextInt(2)];
        if (bytes.length >= size) {
            byte[] old = bytes.clone();
            int pages = bytes.length / size;
            int one = random.nextInt(pages) * size;
            int two = random.nextInt(pages) * size;
            System.arraycopy(old, one, bytes, two, size);
            System.arraycopy(old, two, bytes, one, size);
        }
        return "swap";
    }

    /** A page of another file, most often of the same kind and from the same place. */
    private static String copyFrom(
            Map<Path, byte[]> files, Path file, byte[] bytes, Random random) {
        Path other = random.nextInt(4) == 0 ? pick(files, random) : pick(files, type(file), random);
        byte[] source = contents(files, other);
        int size = PAGES[random.nextInt(2)];
        if (source.length > 0 && bytes.length > 0) {
            int to = page(bytes, size, random);
            int from =
                    random.nextInt(4) == 0 || to >= source.length ? page(source, size, random) : to;
            int count = Math.min(size, Math.min(source.length - from, bytes.length - to));
            System.arraycopy(source, from, bytes, to, count);
        }
        return "foreign page";
    }

    private static Map<Path, byte[]> stale(
            Path file, Map<Path, List<byte[]>> versions, Random random) {
        List<byte[]> all = versions.getOrDefault(file, List.of());
        return all.isEmpty() ? Map.of() : Map.of(file, all.get(random.nextInt(all.size())));
    }

    private static byte[] longer(byte[] bytes, Random random) {
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(600));
        if (random.nextBoolean()) {
            byte[] more = new byte[longer.length - bytes.length];
            random.nextBytes(more);
            System.arraycopy(more, 0, longer, bytes.length, more.length);
        }
        return longer;
    }

    private static Map<Path, byte[]> exchanged(Map<Path, byte[]> files, Path file, Random random) {
        List<Path> others = new ArrayList<>(files.keySet());
        others.removeIf(other -> other.equals(file) || !type(other).equals(type(file)));
        if (others.isEmpty()) {
            return Map.of();
        }
        Path other = others.get(random.nextInt(others.size()));
        return Map.of(file, contents(files, other), other, contents(files, file));
    }
}
