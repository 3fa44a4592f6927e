package dev.penstock.cli.resume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.cli.resume.MortalTarget.Moment;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.LoadSpec;
import dev.penstock.target.LoadTicket;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/** Worker processes of a load into a folder are let in, and nobody else of the machine is. */
final class WorkersIntoAFolderTest {
    private static final int ROWS = 20_000;

    @TempDir private Path folder;

    @Test
    void workers_come_with_a_token_that_no_command_line_and_no_environment_shows()
            throws IOException {
        Path input = folder.resolve("t.csv");
        Files.write(input, IntStream.range(0, ROWS).mapToObj(Integer::toString).toList());
        LoadSpec spec =
                LoadSpec.builder("t")
                        .schema(Ddl.parseCreateTable("CREATE TABLE t (id BIGINT PRIMARY KEY)"))
                        .from(input.toString())
                        .chunkBytes(16 << 10)
                        .threads(2)
                        .workers(2)
                        .label("monday")
                        .resume(true)
                        .build();
        List<String> shown = new ArrayList<>();
        List<String> strangers = new ArrayList<>();
        try (Penstock store = Penstock.open(folder.resolve("store"))) {
            AtomicReference<MortalTarget> target = new AtomicReference<>();
            target.set(
                    MortalTarget.observed(
                            store,
                            Moment.RECORDED,
                            () -> {
                                workers().forEach(worker -> shown.add(everythingPs(worker)));
                                strangers.add(
                                        stranger(Objects.requireNonNull(target.get()).ticket()));
                            }));
            BulkLoad.into(Objects.requireNonNull(target.get()), "t").spec(spec).build().run();
            assertThat(store.table("t").count()).isEqualTo(ROWS);

            String token =
                    ClientSecurity.of(Objects.requireNonNull(target.get()).ticket().access())
                            .proof()
                            .orElseThrow()
                            .reveal();
            assertThat(shown)
                    .hasSize(2)
                    .allMatch(text -> text.contains("WorkerMain"))
                    .noneMatch(text -> text.contains(token));
        }
        assertThat(strangers).hasSize(1).first().asString().startsWith("DENIED ");
    }

    /** Those that are alive while one of them has its chunk recorded. */
    private static List<ProcessHandle> workers() {
        return ProcessHandle.current().children().filter(ProcessHandle::isAlive).toList();
    }

    /** Arguments and environment, where the system shows them. */
    private static String everythingPs(ProcessHandle process) {
        StringBuilder shown = new StringBuilder(process.info().toString());
        for (String name : List.of("cmdline", "environ")) {
            Path file = Path.of("/proc", Long.toString(process.pid()), name);
            if (Files.exists(file)) {
                shown.append(text(file));
            }
        }
        return shown.toString();
    }

    private static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String stranger(LoadTicket ticket) {
        String address = ticket.address().substring("tcp:".length());
        try (Penstock store = Penstock.connect(address)) {
            return "let in, sees " + store.tables();
        } catch (PenstockException e) {
            ErrorCategory category = e.category();
            return category + " " + e.getMessage();
        }
    }
}
