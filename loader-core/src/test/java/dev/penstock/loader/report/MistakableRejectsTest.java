package dev.penstock.loader.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.loader.RejectLimits;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectReason;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/** A file of rejects whose first record begins as compressed data or another kind of file does. */
final class MistakableRejectsTest {
    private static final String BYTE_ORDER_MARK = "efbbbf";

    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({
        "61,false",
        "efbbbf61,true",
        "1f8b,true",
        "1f8b0861,true",
        "1f61,false",
        "28b52ffd61,true",
        "28b52f,false",
        "502a4d1861,true",
        "5f2a4d18,true",
        "602a4d18,false",
        "5041523115,true"
    })
    void a_mark_is_written_before_it(String record, boolean marked) throws IOException {
        Path in = Files.writeString(folder.resolve("in.csv"), "");
        Path bad = folder.toRealPath().resolve("bad.csv");
        Reject reject =
                new Reject(
                        RejectReason.MISSING_FIELDS,
                        0,
                        0,
                        1,
                        "",
                        "",
                        "",
                        HexFormat.of().parseHex(record));
        RejectLimits limits = RejectLimits.parse("10");
        try (Inputs inputs = Inputs.open(List.of(in.toString()), InputStream.nullInputStream());
                RejectLog log = new RejectLog(limits, bad, LocalDisk.SYSTEM, -1, 1 << 20)) {
            log.add(0, List.of(reject));
            new RejectFiles(log, null, inputs, LocalDisk.SYSTEM)
                    .write(bad, new byte[0], "{}", null, () -> {});
        }
        assertThat(HexFormat.of().formatHex(Files.readAllBytes(bad)))
                .isEqualTo((marked ? BYTE_ORDER_MARK : "") + record + "0a");
    }
}
