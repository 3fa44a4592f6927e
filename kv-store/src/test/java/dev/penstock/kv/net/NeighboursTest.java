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
    private static final String NUMBER = "01234567-89ab-cdef-0123-456789abcdef";

    @Test
    void whoMakesTheFileIsKnownFromThenOn() {
        try (Neighbours neighbours = new Neighbours(true)) {
            Neighbour neighbour = neighbours.ask(CLIENT);
            assertThat(neighbour.isShown()).isFalse();
            assertThat(Neighbours.show(neighbour.asked(), CLIENT)).isTrue();
            assertThat(neighbour.isShown()).isTrue();
            assertThat(neighbour.isShown()).isTrue();
            assertThat(Path.of(neighbour.asked()).getParent()).isEmptyDirectory();
        }
    }

    @Test
    void oneConnectionSaysNothingAboutAnother() {
        try (Neighbours neighbours = new Neighbours(true)) {
            Neighbour first = neighbours.ask(CLIENT);
            Neighbour second = neighbours.ask(CLIENT);
            Neighbours.show(first.asked(), CLIENT);
            assertThat(second.isShown()).isFalse();
            assertThat(first.isShown()).isTrue();
        }
    }

    /** Who passes a server's question on to another client has another address than that one. */
    @Test
    void whatAnotherClientMakesDoesNotCount() {
        try (Neighbours neighbours = new Neighbours(true)) {
            Neighbour between = neighbours.ask("127.0.0.1:50001");
            Neighbours.show(between.asked(), CLIENT);
            assertThat(between.isShown()).isFalse();
        }
    }

    @Test
    void nobodyElseCanWriteToTheFolderAndItGoesWithTheServer() throws IOException {
        Neighbours neighbours = new Neighbours(true);
        Neighbour neighbour = neighbours.ask(CLIENT);
        Path folder = Path.of(neighbour.asked()).getParent();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        Neighbours.show(neighbour.asked(), CLIENT);
        neighbours.close();
        assertThat(folder).doesNotExist();
        assertThat(neighbour.isShown()).isFalse();
        assertThat(neighbours.ask(CLIENT).asked()).isEmpty();
    }

    @Test
    void aServerThatReadsNoFilesAsksNobody() {
        try (Neighbours neighbours = new Neighbours(false)) {
            assertThat(neighbours.ask(CLIENT).asked()).isEmpty();
            assertThat(neighbours.ask(CLIENT).isShown()).isFalse();
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
        assertThat(Neighbours.show(asked.replace("FOLDER", folder.toString()), CLIENT)).isFalse();
        assertThat(place).isEmptyDirectory();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(1);
        }
        assertThat(Neighbours.show(place.resolve(NUMBER).toString(), CLIENT)).isTrue();
        assertThat(Neighbours.show(place.resolve(NUMBER).toString(), CLIENT)).isFalse();
        assertThat(place.resolve(NUMBER + " " + CLIENT)).isEmptyFile();
    }
}
