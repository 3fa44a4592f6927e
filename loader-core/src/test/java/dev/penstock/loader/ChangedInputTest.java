package dev.penstock.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.fake.FolderTarget;
import dev.penstock.loader.fake.Orders;
import dev.penstock.loader.fake.TestTables;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Files that do not stay as they are while they are loaded. */
final class ChangedInputTest {
    private static final List<String> RECORDS = Orders.records(2_000, 21);

    @TempDir private Path folder;
    private FolderTarget target;
    private Path input;
    private Path other;

    /** What somebody does to a file, and what is said of that. */
    enum Change {
        /** The same bytes, so that only the time tells. */
        WRITE_OVER("was written to, last at 20"),
        APPEND(" bytes while it was loaded"),
        REPLACE("was replaced by another file"),
        REMOVE("while it was loaded could not be seen: ");

        private final String said;

        Change(String said) {
            this.said = said;
        }

        void make(Path input, Path other) {
            try {
                Instant before = Files.getLastModifiedTime(input).toInstant();
                switch (this) {
                    case WRITE_OVER -> {
                        Files.write(input, Files.readAllBytes(other));
                        Files.setLastModifiedTime(input, FileTime.from(before.plusNanos(1_000)));
                    }
                    case APPEND -> Files.writeString(input, "\n", StandardOpenOption.APPEND);
                    case REPLACE -> {
                        Files.copy(other, other.resolveSibling("third"));
                        Path third = other.resolveSibling("third");
                        Files.setLastModifiedTime(third, FileTime.from(before));
                        Files.move(third, input, StandardCopyOption.REPLACE_EXISTING);
                    }
                    case REMOVE -> Files.delete(input);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @BeforeEach
    void write() {
        target = new FolderTarget(folder.resolve("store"));
        input = Orders.write(folder.resolve("orders.tbl"), RECORDS);
        other = Orders.write(folder.resolve("other"), RECORDS);
    }

    private BulkLoad load(LoadSpecBuilder spec, LoadPhase phase, Change change) {
        return BulkLoad.into(target, "orders")
                .spec(spec.build())
                .listener(progress -> {
                    if (progress.phase() == phase && Files.exists(other)) {
                        change.make(input, other);
                        delete(other);
                    }
                })
                .build();
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void refused(BulkLoad load, Change change) {
        assertThatThrownBy(load::run)
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e ->
                                assertThat(e.category())
                                        .isEqualTo(
                                                change == Change.REMOVE
                                                        ? ErrorCategory.IO
                                                        : ErrorCategory.DATA))
                .hasMessageContaining(input.toString())
                .hasMessageContaining(change.said);
        assertThat(target.rows("orders")).isEmpty();
        assertThat(target.openLoads("orders")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void a_file_that_changes_before_it_has_been_read_is_not_loaded(Change change) {
        refused(load(Orders.spec(input).chunkBytes(4_000), LoadPhase.LOAD, change), change);
    }

    @Test
    void what_is_appended_to_a_compressed_file_is_noticed() throws IOException {
        input = folder.resolve("orders.tbl.gz");
        byte[] text = Files.readAllBytes(other);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(input))) {
            out.write(text);
        }
        BulkLoad load =
                BulkLoad.into(target, "orders")
                        .spec(Orders.spec(input).build())
                        .listener(progress -> {
                            if (progress.phase() == LoadPhase.LOAD && Files.exists(other)) {
                                appendMember(text);
                                delete(other);
                            }
                        })
                        .build();
        refused(load, Change.APPEND);
    }

    private void appendMember(byte[] text) {
        try (OutputStream out =
                new GZIPOutputStream(Files.newOutputStream(input, StandardOpenOption.APPEND))) {
            out.write(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_file_that_changes_before_it_is_read_for_records_of_equal_keys_is_not_loaded(
            Change change) {
        String text = String.join("\n", RECORDS) + "\n" + RECORDS.get(7) + "\n";
        Orders.write(input, text);
        Orders.write(other, text);
        LoadSpecBuilder spec =
                Orders.spec(input)
                        .duplicates(DuplicatePolicy.REJECT)
                        .maxRejects(RejectLimit.parse("10"));
        refused(load(spec, LoadPhase.MERGE, change), change);
    }

    @ParameterizedTest
    @EnumSource
    void a_dry_run_does_not_count_what_has_changed(Change change) {
        target.createTable(TestTables.ORDERS);
        refused(load(Orders.spec(input).dryRun(true), LoadPhase.LOAD, change), change);
    }

    @Test
    void a_file_that_was_only_read_and_one_that_changes_when_it_is_loaded_are_loaded() {
        load(Orders.spec(input), LoadPhase.PUBLISH, Change.WRITE_OVER).run();
        assertThat(target.rows("orders")).hasSize(RECORDS.size());
    }
}
