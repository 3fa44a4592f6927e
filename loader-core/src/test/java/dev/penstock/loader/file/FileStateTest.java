package dev.penstock.loader.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is said of a file that changes, whatever its file system knows of it. */
final class FileStateTest {
    private static final String REPLACED = "was replaced by another file";

    /** One that has never been written to since it was made, and one that has. */
    private static final FileState NEW = new FileState("7", 1_000, 5, 1_000);

    private static final FileState OLD = new FileState("7", 1_000, 5, 2_000);

    @Test
    void what_is_as_it_was_has_no_difference() {
        assertThat(NEW.difference(NEW)).isEmpty();
        assertThat(OLD.difference(OLD)).isEmpty();
        assertThat(FileState.NONE.difference(FileState.NONE)).isEmpty();
    }

    /** Where nobody knows when a file was made, Java says when it was changed. */
    @Test
    void a_write_is_a_write_where_file_systems_do_not_know_when_a_file_was_made() {
        assertThat(NEW.difference(new FileState("7", 3_000, 5, 3_000)))
                .isEqualTo("was written to, last at 1970-01-01T00:00:00.000003Z");
        assertThat(NEW.difference(new FileState("7", 3_000, 6, 3_000)))
                .isEqualTo("changed from 5 to 6 bytes");
        assertThat(NEW.difference(new FileState("8", 1_000, 5, 1_000))).isEqualTo(REPLACED);
    }

    @Test
    void another_file_of_the_same_number_was_made_at_another_time() {
        FileState other = new FileState("7", 3_000, 5, 2_000);
        assertThat(OLD.difference(other)).isEqualTo(REPLACED);
        assertThat(NEW.difference(new FileState("7", 3_000, 5, 1_000))).isEqualTo(REPLACED);
    }

    @Test
    void a_write_is_a_write_where_they_know() {
        assertThat(NEW.difference(OLD)).startsWith("was written to, last at ");
        assertThat(OLD.difference(new FileState("7", 1_000, 4, 3_000)))
                .isEqualTo("changed from 5 to 4 bytes");
    }
}
