package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the file of reasons beside a rejects file as any reader of CSV does. */
final class ReasonsFile {
    static final String HEADER =
            "file,line,byte_offset,column,value,class,reason,expected,fix,reject_offset,reject_bytes";

    private ReasonsFile() {}

    /** The fields of each line but the header. */
    static List<List<String>> read(Path rejectsFile) throws IOException {
        Path file = rejectsFile.resolveSibling(rejectsFile.getFileName() + ".reasons.csv");
        List<String> lines = Files.readAllLines(file);
        assertThat(lines.getFirst()).isEqualTo(HEADER);
        List<List<String>> reasons = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            List<String> fields = fields(line);
            assertThat(fields).as(line).hasSize(11);
            reasons.add(fields);
        }
        return reasons;
    }

    private static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                boolean doubled = quoted && i + 1 < line.length() && line.charAt(i + 1) == '"';
                if (doubled) {
                    field.append('"');
                    i++;
                } else {
                    quoted = !quoted;
                }
            } else if (c == ',' && !quoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString());
        return fields;
    }
}
