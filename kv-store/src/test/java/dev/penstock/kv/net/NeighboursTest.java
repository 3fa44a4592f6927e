package dev.penstock.kv.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kv.net.Neighbours.Neighbour;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;

class NeighboursTest {
    private static final String CLIENT = "127.0.0.1:50000";
    private static final String SERVER = "127.0.0.1:7070";
    private static final String NUMBER = "01234567-89ab-cdef-0123-456789abcdef";

    @Test
    void whoMakesTheFileIsKnownFromThenOn() {
        try (Neighbours neighbours = new Neighbours(true)) {
            Neighbour neighbour = neighbours.ask(CLIENT, SERVER);
            assertThat(neighbour.isShown()).isFalse();
            assertThat(Neighbours.show(neighbour.asked(), CLIENT, SERVER)).isTrue();
            assertThat(neighbour.isShown()).isTrue();
            assertThat(neighbour.isShown()).isTrue();
            assertThat(Path.of(neighbour.asked()).getParent()).isEmptyDirectory();
        }
    }

    @Test
    void whatWasMadeInVainGoesWithTheConnection() {
        try (Neighbours neighbours = new Neighbours(true)) {
            Neighbour neighbour = neighbours.ask(CLIENT, SERVER);
            Neighbours.show(neighbour.asked(), CLIENT, SERVER);
            neighbour.leave();
            assertThat(Path.of(neighbour.asked()).getParent()).isEmptyDirectory();
        }
    }

    @Test
    void oneConnectionSaysNothingAboutAnother() {
        try (Neighbours neighbours = new Neighbours(true)) {
            Neighbour first = neighbours.ask(CLIENT, SERVER);
            Neighbour second = neighbours.ask(CLIENT, SERVER);
            Neighbours.show(first.asked(), CLIENT, SERVER);
            assertThat(second.isShown()).isFalse();
            assertThat(first.isShown()).isTrue();
        }
    }

    /** Who passes a server's question on to another client has another address than that one. */
    @Test
    void whatAnotherClientMakesDoesNotCount() {
        try (Neighbours neighbours = new Neighbours(true)) {
            Neighbour between = neighbours.ask("127.0.0.1:50001", SERVER);
            Neighbours.show(between.asked(), CLIENT, SERVER);
            assertThat(between.isShown()).isFalse();
        }
    }

    /** Who listens elsewhere may come from the same address as his client. */
    @Test
    void whatIsMadeForAnotherServerDoesNotCount() {
        try (Neighbours neighbours = new Neighbours(true)) {
            Neighbour between = neighbours.ask(CLIENT, SERVER);
            assertThat(Neighbours.show(between.asked(), CLIENT, "127.0.0.1:7071")).isTrue();
            assertThat(between.isShown()).isFalse();
        }
    }

    /** What is temporary may be tidied away, and then anybody can make a folder of that name. */
    @Test
    void anotherFolderOfItsPathMeansNothing() throws IOException {
        try (Neighbours neighbours = new Neighbours(true)) {
            Neighbour before = neighbours.ask(CLIENT, SERVER);
            Path folder = Path.of(before.asked()).getParent();
            Files.delete(folder);
            Files.createDirectory(
                    folder,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
            assertThat(Neighbours.show(before.asked(), CLIENT, SERVER)).isTrue();
            assertThat(before.isShown()).isFalse();
            Neighbour after = neighbours.ask(CLIENT, SERVER);
            assertThat(Path.of(after.asked()).getParent()).isNotEqualTo(folder);
            assertThat(Neighbours.show(after.asked(), CLIENT, SERVER)).isTrue();
            assertThat(after.isShown()).isTrue();
            try (Stream<Path> files = Files.list(folder)) {
                files.forEach(file -> file.toFile().delete());
            }
            Files.delete(folder);
        }
    }

    /** A folder that others can write to, or a link, may be anybody's. */
    @Test
    void nothingIsMadeInAFolderThatIsNotPrivate(@TempDir Path folder) throws IOException {
        Path open = Files.createDirectory(folder.resolve("penstock-neighbours-3"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path link = folder.resolve("penstock-neighbours-4");
        Path own = Files.createDirectory(folder.resolve("penstock-neighbours-5"));
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx------"));
        Files.createSymbolicLink(link, own);
        assertThat(Neighbours.show(open.resolve(NUMBER).toString(), CLIENT, SERVER)).isFalse();
        assertThat(Neighbours.show(link.resolve(NUMBER).toString(), CLIENT, SERVER)).isFalse();
        assertThat(Neighbours.show(own.resolve(NUMBER).toString(), CLIENT, SERVER)).isTrue();
        assertThat(open).isEmptyDirectory();
    }

    @Test
    void nobodyElseCanWriteToTheFolderAndItGoesWithTheServer() throws IOException {
        Neighbours neighbours = new Neighbours(true);
        Neighbour neighbour = neighbours.ask(CLIENT, SERVER);
        Path folder = Path.of(neighbour.asked()).getParent();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        Neighbours.show(neighbour.asked(), CLIENT, SERVER);
        neighbours.close();
        assertThat(folder).doesNotExist();
        assertThat(neighbour.isShown()).isFalse();
        assertThat(neighbours.ask(CLIENT, SERVER).asked()).isEmpty();
    }

    @Test
    void aServerThatReadsNoFilesAsksNobody() {
        try (Neighbours neighbours = new Neighbours(false)) {
            assertThat(neighbours.ask(CLIENT, SERVER).asked()).isEmpty();
            assertThat(neighbours.ask(CLIENT, SERVER).isShown()).isFalse();
        }
    }

    /** Whatever listens at a server's address, files of other names are not made for it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "FOLDER",
                "FOLDER/" + NUMBER,
                "FOLDER/penstock-neighbours-1/x",
                "FOLDER/penstock-neighbours-1/" + NUMBER + "0",
                "FOLDER/penstock-neighbours-1/../" + NUMBER,
                "penstock-neighbours-1/" + NUMBER,
                "FOLDER/penstock-neighbours-1/" + NUMBER + "\0",
                "FOLDER/penstock-neighbours-2/" + NUMBER
            })
    void nothingElseIsMade(String asked, @TempDir Path folder) throws IOException {
        Path place = Files.createDirectory(folder.resolve("penstock-neighbours-1"));
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwx------"));
        assertThat(Neighbours.show(asked.replace("FOLDER", folder.toString()), CLIENT, SERVER))
                .isFalse();
        assertThat(place).isEmptyDirectory();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(1);
        }
        assertThat(Neighbours.show(place.resolve(NUMBER).toString(), CLIENT, SERVER)).isTrue();
        assertThat(Neighbours.show(place.resolve(NUMBER).toString(), CLIENT, SERVER)).isFalse();
        assertThat(place.resolve(NUMBER + " " + CLIENT + " " + SERVER)).isEmptyFile();
    }
}
