package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kv.server.RegionServerProcess;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/**
 * Random records, some of them spoilt: what is rejected is kept byte for byte with its place, and
 * mended and replayed it gives the table that a load of whole input gives; once, however often.
 */
final class RejectReplayTest {
    private static final String DDL =
            "CREATE TABLE t (id BIGINT NOT NULL, born DATE, price DECIMAL(6,2) NOT NULL, note"
                    + " VARCHAR(60), PRIMARY KEY (id))";
    private static final byte[] HEADER = bytes("note,id,born,price");

    @TempDir private Path folder;

    /** A record as it should be, and as it is in the input. */
    private record Record(byte[] whole, byte[] spoilt, int file, long line, long position) {
        boolean bad() {
            return whole != spoilt;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1,  2, header, lf,   plain, store,  --threads 1",
        "2,  1, none,   lf,   plain, store,  --threads 8",
        "3,  3, none,   crlf, plain, store,  --cut raw",
        "4,  2, header, crlf, gzip,  store,  --offload sequential",
        "5,  1, header, lf,   pipe,  store,  --threads 2",
        "6,  1, none,   crlf, pipe,  store,  --cut typed",
        "7,  2, none,   lf,   gzip,  remote, --threads 2",
        "8,  2, header, lf,   plain, remote, --cut raw",
        "9,  2, header, crlf, plain, store,  --workers 2",
        "10, 2, none,   lf,   plain, remote, --workers 2",
    })
    void what_is_mended_and_replayed_is_as_if_it_had_been_whole(
            long seed,
            int files,
            String header,
            String lineEnd,
            String kind,
            String where,
            String how)
            throws IOException {
        boolean named = header.equals("header");
        List<Record> records = records(new Random(seed), files, named, lineEnd);
        Files.writeString(folder.resolve("t.sql"), DDL);
        load("whole", records, files, named, lineEnd, "plain", List.of());
        String expected = scan(List.of("--store", folder.resolve("whole").toString()));
        if (where.equals("remote")) {
            try (RegionServerProcess server =
                    RegionServerProcess.start(folder.resolve("server"), "127.0.0.1:0", null)) {
                List<String> store = List.of("--connect", server.address());
                replay(records, files, named, lineEnd, kind, store, how, expected);
            }
        } else {
            List<String> store = List.of("--store", folder.resolve("store").toString());
            replay(records, files, named, lineEnd, kind, store, how, expected);
        }
    }

    private void replay(
            List<Record> records,
            int files,
            boolean named,
            String lineEnd,
            String kind,
            List<String> store,
            String how,
            String expected)
            throws IOException {
        Path rejects = folder.resolve("bad.csv");
        List<String> options = new ArrayList<>(store);
        options.addAll(List.of(how.split(" ")));
        options.addAll(List.of("--max-rejects", "100%", "--rejects", rejects.toString()));
        options.addAll(List.of("--chunk-size", "2000", "--regions", "3"));
        load("spoilt", records, files, named, lineEnd, kind, options);
        List<Record> bad = records.stream().filter(Record::bad).toList();
        byte[] kept = Files.readAllBytes(rejects);
        List<List<String>> reasons = ReasonsFile.read(rejects);
        assertThat(reasons).hasSameSizeAs(bad);
        ByteArrayOutputStream mended = new ByteArrayOutputStream();
        if (named) {
            mended.write(HEADER);
            mended.write('\n');
        }
        for (int i = 0; i < bad.size(); i++) {
            Record record = bad.get(i);
            List<String> reason = reasons.get(i);
            int offset = Integer.parseInt(reason.get(9));
            int end = offset + Integer.parseInt(reason.get(10));
            assertThat(Arrays.copyOfRange(kept, offset, end)).isEqualTo(record.spoilt());
            assertThat(reason.get(0)).endsWith(kind.equals("pipe") ? "-" : name(record.file()));
            assertThat(reason.get(1)).isEqualTo(Long.toString(record.line()));
            assertThat(reason.get(2)).isEqualTo(Long.toString(record.position()));
            mended.write(record.whole());
            mended.write('\n');
        }
        Files.write(rejects, mended.toByteArray());
        for (int round = 0; round < 2; round++) {
            List<String> again = new ArrayList<>(List.of("rejects", "replay", rejects.toString()));
            again.addAll(store);
            Ran ran = Ran.cli(again.toArray(String[]::new));
            assertThat(ran.code()).as(ran.err()).isZero();
            assertThat(scan(store)).isEqualTo(expected);
        }
    }

    private static List<Record> records(Random random, int files, boolean named, String lineEnd)
            throws IOException {
        int endBytes = lineEnd.equals("crlf") ? 2 : 1;
        List<Record> records = new ArrayList<>();
        for (int file = 0; file < files; file++) {
            long line = named ? 2 : 1;
            long position = named ? HEADER.length + endBytes : 0;
            int count = 150 + random.nextInt(100);
            for (int i = 0; i < count; i++) {
                int id = 1000 * file + i;
                String note = note(random);
                byte[] whole = record(note, Integer.toString(id), "2024-02-29", id + ".5");
                // The first records tell the dialect, and are good for it.
                byte[] spoilt =
                        i < 2 || random.nextInt(4) > 0 ? whole : spoil(random, whole, note, id);
                records.add(new Record(whole, spoilt, file, line, position));
                for (byte b : spoilt) {
                    line += b == '\n' ? 1 : 0;
                }
                line++;
                position += spoilt.length + endBytes;
            }
        }
        return records;
    }

    /** Text with all that a quoted field may hold. */
    private static String note(Random random) {
        String[] parts = {
            "a", "é", "\u0000", "\n", "\r\n", "\r", "\"", ",", "|", "\t", "𝄞", " ", "#"
        };
        StringBuilder note = new StringBuilder("x");
        int count = random.nextInt(12);
        for (int i = 0; i < count; i++) {
            note.append(parts[random.nextInt(parts.length)]);
        }
        return note.toString();
    }

    private static byte[] record(String note, String id, String born, String price) {
        return bytes("\"" + note.replace("\"", "\"\"") + "\"," + id + "," + born + "," + price);
    }

    private static byte[] spoil(Random random, byte[] whole, String note, int id)
            throws IOException {
        String number = Integer.toString(id);
        String born = "2024-02-29";
        return switch (random.nextInt(11)) {
            case 0 -> record(note, number, "2023-02-29", "1");
            case 1 -> record(note, number, "to\u0000day", "1");
            case 2 -> record(note, "x" + id, born, "1");
            case 3 -> record(note, "", born, "1");
            case 4 -> record(note, number, born, "12345.67");
            case 5 -> record(note + "long ".repeat(20), number, born, "1");
            case 6 -> bytes("\"" + note.replace("\"", "\"\"") + "\"," + id);
            case 7 -> record(note, number, born, "1,2,3");
            case 8 -> bytes("\"x\"y," + id + ",,1");
            case 9 -> bytes(",");
            default -> {
                ByteArrayOutputStream latin = new ByteArrayOutputStream();
                latin.write('"');
                latin.write(new byte[] {(byte) 0xE9, 0, (byte) 0xFF, (byte) 0xFE, '\n'});
                latin.write(whole, 1, whole.length - 1);
                yield latin.toByteArray();
            }
        };
    }

    private static String name(int file) {
        return "in" + file + ".csv";
    }

    /** Loads the records, whole or as they are. */
    private void load(
            String what,
            List<Record> records,
            int files,
            boolean named,
            String lineEnd,
            String kind,
            List<String> options)
            throws IOException {
        boolean whole = what.equals("whole");
        byte[] end = bytes(lineEnd.equals("crlf") ? "\r\n" : "\n");
        List<String> args = new ArrayList<>(List.of("load"));
        byte[] piped = {};
        for (int file = 0; file < files; file++) {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            if (named) {
                text.write(HEADER);
                text.write(end);
            }
            for (Record record : records) {
                if (record.file() == file) {
                    text.write(whole ? record.whole() : record.spoilt());
                    text.write(end);
                }
            }
            piped = text.toByteArray();
            Path path = Files.createDirectories(folder.resolve(what + "-in")).resolve(name(file));
            try (OutputStream out = Files.newOutputStream(path);
                    OutputStream packed = kind.equals("gzip") ? new GZIPOutputStream(out) : out) {
                packed.write(piped);
            }
            args.add(kind.equals("pipe") ? "-" : path.toString());
        }
        args.addAll(List.of("--ddl", folder.resolve("t.sql").toString()));
        args.addAll(
                List.of("--delimiter", ",", "--quote", "\"", named ? "--header" : "--no-header"));
        if (!named) {
            args.addAll(List.of("--columns", "note,id,born,price"));
        }
        args.addAll(whole ? List.of("--store", folder.resolve("whole").toString()) : options);
        Ran ran = Ran.cliReadingBytes(piped, args.toArray(String[]::new));
        assertThat(ran.code()).as(ran.err()).isEqualTo(whole ? 0 : 3);
    }

    private static String scan(List<String> store) {
        List<String> args = new ArrayList<>(List.of("scan", "t"));
        args.addAll(store);
        Ran ran = Ran.cli(args.toArray(String[]::new));
        assertThat(ran.code()).as(ran.err()).isZero();
        return ran.out();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
