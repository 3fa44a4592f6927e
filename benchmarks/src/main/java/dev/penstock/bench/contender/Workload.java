package dev.penstock.bench.contender;

import dev.penstock.kv.ddl.Ddl;
import dev.penstock.schema.Column;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * What a contender loads.
 *
 * @param file of text
 * @param ddl the declaration of the table
 * @param schema the same, parsed
 * @param format how the file is written
 * @param threads threads a contender may use
 * @param bytes size of the file
 * @param rows lines of the file but the header; no field of it holds a line end
 */
public record Workload(
        Path file,
        String ddl,
        TableSchema schema,
        TextFormat format,
        int threads,
        long bytes,
        long rows) {
    private static final int MAX_FIRST_LINE = 1 << 16;

    /** Reads the file once, to count its lines. */
    public static Workload of(Path file, String ddl, int threads) throws IOException {
        ByteArrayOutputStream first = new ByteArrayOutputStream();
        long bytes = 0;
        long lines = 0;
        byte last = '\n';
        byte[] block = new byte[1 << 20];
        try (InputStream in = Files.newInputStream(file)) {
            for (int count = in.read(block); count > 0; count = in.read(block)) {
                for (int i = 0; i < count; i++) {
                    if (lines == 0 && first.size() < MAX_FIRST_LINE && block[i] != '\n') {
                        first.write(block[i]);
                    }
                    lines += block[i] == '\n' ? 1 : 0;
                }
                bytes += count;
                last = block[count - 1];
            }
        }
        lines += last == '\n' ? 0 : 1;
        return of(file, ddl, threads, first.toString(StandardCharsets.UTF_8), bytes, lines);
    }

    /**
     * Reads the file before it is loaded, so that every contender finds it in the page cache if it
     * fits. Once for all is not enough: hosts of virtual machines take pages away that nobody has
     * touched for half a minute, and who comes after a slow contender would pay for that.
     *
     * @throws IOException also if the file has another length than before
     */
    public void fillPageCache() throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            long all = in.transferTo(OutputStream.nullOutputStream());
            if (all != bytes) {
                throw new IOException(
                        file + " has " + all + " bytes now, and had " + bytes + " before");
            }
        }
    }

    /** Without reading more than the first line; size and rows are 0. */
    static Workload unread(Path file, String ddl, int threads) throws IOException {
        try (BufferedReader in = Files.newBufferedReader(file)) {
            return of(file, ddl, threads, in.readLine(), 0, 0);
        }
    }

    private static Workload of(
            Path file, String ddl, int threads, @Nullable String first, long bytes, long lines) {
        TableSchema schema = Ddl.parseCreateTable(ddl);
        TextFormat format = TextFormat.of(first == null ? "" : first, schema);
        long rows = format.header() ? lines - 1 : lines;
        return new Workload(file.toAbsolutePath(), ddl, schema, format, threads, bytes, rows);
    }

    String table() {
        return schema.name();
    }

    /** The names of the key's columns, with commas between. */
    String key() {
        return schema.key().stream()
                .map(part -> schema.column(part.columnIndex()).name())
                .collect(Collectors.joining(", "));
    }

    /** What each column becomes, with commas between. */
    String columns(ColumnText text) {
        return schema.columns().stream().map(text::of).collect(Collectors.joining(", "));
    }

    /** A column in the words of an engine. */
    interface ColumnText {
        String of(Column column);
    }

    /** The file's name as an SQL string. */
    String quotedFile() {
        return "'" + file.toString().replace("'", "''") + "'";
    }
}
