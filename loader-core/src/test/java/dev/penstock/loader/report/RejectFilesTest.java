package dev.penstock.loader.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.loader.RejectLimits;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.loader.file.LocalFile;
import dev.penstock.loader.file.PartFile;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Three files of which the last one, the records, cannot get its name when all are written. */
final class RejectFilesTest {
    private static final byte[] HEADER = "id,name".getBytes(StandardCharsets.UTF_8);
    private static final int FILES = 3;

    @TempDir private Path folder;
    private Path bad;
    private Path reasons;
    private Path how;

    @BeforeEach
    void writeEarlierFiles() throws IOException {
        bad = folder.toRealPath().resolve("bad.csv");
        reasons = RejectFiles.reasonsFile(bad);
        how = RejectFiles.loadFile(bad);
        Files.writeString(folder.resolve("in.csv"), "");
        for (Path file : List.of(bad, reasons, how)) {
            Files.writeString(file, "before");
        }
    }

    /**
     * A disk on which somebody puts a folder in the place of the records while they are written.
     */
    private final class MeddledDisk implements LocalDisk {
        private int room;

        /**
         * @param room for so many files
         */
        MeddledDisk(int room) {
            this.room = room;
        }

        @Override
        public LocalFile create(Path file) throws IOException {
            if (room-- == 0) {
                throw new IOException("No space left on device");
            }
            if (file.equals(PartFile.part(bad))) {
                Files.delete(bad);
                Files.createDirectories(bad.resolve("folder"));
            }
            return SYSTEM.create(file);
        }

        @Override
        public LocalFile createTemporary(Path parent, String prefix, String suffix)
                throws IOException {
            return SYSTEM.createTemporary(parent, prefix, suffix);
        }
    }

    private void assertNotWritten(LocalDisk disk, String newOnes, String others) {
        try (Inputs inputs =
                        Inputs.open(
                                List.of(folder.resolve("in.csv").toString()),
                                InputStream.nullInputStream());
                RejectLog log = new RejectLog(RejectLimits.NONE, bad, disk, -1, 0)) {
            RejectFiles files = new RejectFiles(log, null, inputs, disk);
            assertThatThrownBy(() -> files.write(bad, HEADER, "{}", null, () -> {}))
                    .hasMessage(
                            "The rejects file "
                                    + bad
                                    + " could not be written: "
                                    + bad
                                    + " cannot be replaced: it is a folder; "
                                    + newOnes
                                    + " new now, "
                                    + others
                                    + " as before. Nothing of this load is visible.");
        }
        assertThat(reasons).content().startsWith("file,line");
        assertThat(bad.resolve("folder")).isDirectory();
        assertThat(folder).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void what_says_how_to_load_the_earlier_records_is_put_back() {
        assertNotWritten(new MeddledDisk(FILES + 1), reasons + " is", how + " and " + bad + " are");
        assertThat(how).hasContent("before");
    }

    @Test
    void where_nothing_said_how_to_load_them_nothing_does() throws IOException {
        Files.delete(how);
        assertNotWritten(new MeddledDisk(FILES), reasons + " is", how + " and " + bad + " are");
        assertThat(how).doesNotExist();
    }

    @Test
    void what_there_is_no_room_to_put_back_is_called_new() {
        assertNotWritten(new MeddledDisk(FILES), how + " and " + reasons + " are", bad + " is");
        assertThat(how).hasContent("{}");
    }
}
