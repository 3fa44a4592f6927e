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
import java.util.Optional;
import java.util.stream.Stream;

class NeighboursTest {
    private static final String CLIENT = "127.0.0.1:50000";
    private static final String SERVER = "127.0.0.1:7070";
    private static final String NUMBER = "01234567-89ab-cdef-0123-456789abcdef";

    @TempDir private Path parent;

    @Test
    void whoMakesTheFileIsKnownFromThenOn() {
        try (Neighbours neighbours = new Neighbours(Optional.of(parent))) {
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
        try (Neighbours neighbours = new Neighbours(Optional.of(parent))) {
            Neighbour neighbour = neighbours.ask(CLIENT, SERVER);
            Neighbours.show(neighbour.asked(), CLIENT, SERVER);
            neighbour.leave();
            assertThat(Path.of(neighbour.asked()).getParent()).isEmptyDirectory();
        }
    }

    @Test
    void oneConnectionSaysNothingAboutAnother() {
        try (Neighbours neighbours = new Neighbours(Optional.of(parent))) {
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
        try (Neighbours neighbours = new Neighbours(Optional.of(parent))) {
            Neighbour between = neighbours.ask("127.0.0.1:50001", SERVER);
            Neighbours.show(between.asked(), CLIENT, SERVER);
            assertThat(between.isShown()).isFalse();
        }
    }

    /** Who listens elsewhere may come from the same address as his client. */
    @Test
    void whatIsMadeForAnotherServerDoesNotCount() {
        try (Neighbours neighbours = new Neighbours(Optional.of(parent))) {
            Neighbour between = neighbours.ask(CLIENT, SERVER);
            assertThat(Neighbours.show(between.asked(), CLIENT, "127.0.0.1:7071")).isTrue();
            assertThat(between.isShown()).isFalse();
        }
    }

    /** What is temporary may be tidied away, and then anybody can make a folder of that name. */
    @Test
    void anotherFolderOfItsPathMeansNothing() throws IOException {
        try (Neighbours neighbours = new Neighbours(Optional.of(parent))) {
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
            assertThat(folder).isEmptyDirectory();
            assertThat(Neighbours.show(after.asked(), CLIENT, SERVER)).isTrue();
            assertThat(after.isShown()).isTrue();
        }
    }

    /** A folder that others can write to, or a link, may be anybody's. */
    @Test
    void nothingIsMadeInAFolderThatIsNotPrivate(@TempDir Path folder) throws IOException {
        Path open = Files.createDirectories(folder.resolve("a/penstock-neighbours"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path link = folder.resolve("penstock-neighbours");
        Path own = Files.createDirectories(folder.resolve("b/penstock-neighbours"));
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx------"));
        Files.createSymbolicLink(link, own);
        assertThat(Neighbours.show(open.resolve(NUMBER).toString(), CLIENT, SERVER)).isFalse();
        assertThat(Neighbours.show(link.resolve(NUMBER).toString(), CLIENT, SERVER)).isFalse();
        assertThat(Neighbours.show(own.resolve(NUMBER).toString(), CLIENT, SERVER)).isTrue();
        assertThat(open).isEmptyDirectory();
    }

    @Test
    void nobodyElseCanWriteToTheFolderAndItGoesWithTheServer() throws IOException {
        Neighbours neighbours = new Neighbours(Optional.of(parent));
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

    /** What a server that was killed has left behind is removed, files of clients too. */
    @Test
    void aServerThatStartsAnewBeginsWithAnEmptyFolder() {
        Neighbour left = new Neighbours(Optional.of(parent)).ask(CLIENT, SERVER);
        Neighbours.show(left.asked(), CLIENT, SERVER);
        try (Neighbours neighbours = new Neighbours(Optional.of(parent))) {
            Neighbour neighbour = neighbours.ask(CLIENT, SERVER);
            assertThat(Path.of(neighbour.asked()).getParent()).isEmptyDirectory();
            assertThat(left.isShown()).isFalse();
        }
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void aServerThatReadsNoFilesAsksNobody() {
        try (Neighbours neighbours = new Neighbours(Optional.empty())) {
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
                "FOLDER/a/penstock-neighbours/x",
                "FOLDER/a/penstock-neighbours/" + NUMBER + "0",
                "FOLDER/a/penstock-neighbours/../" + NUMBER,
                "a/penstock-neighbours/" + NUMBER,
                "FOLDER/a/penstock-neighbours/" + NUMBER + "\0",
                "FOLDER/penstock-neighbours/" + NUMBER
            })
    void nothingElseIsMade(String asked, @TempDir Path folder) throws IOException {
        Path place = Files.createDirectories(folder.resolve("a/penstock-neighbours"));
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
