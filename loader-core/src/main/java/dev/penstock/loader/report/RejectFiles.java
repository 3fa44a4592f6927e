package dev.penstock.loader.report;

import dev.penstock.error.PenstockException;
import dev.penstock.loader.file.Compression;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.loader.file.NotText;
import dev.penstock.loader.file.PartFile;
import dev.penstock.reject.Reject;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the rejects file and what lies beside it:
 *
 * <ul>
 *   <li>{@code FILE}: the records as they were read, each with a line end, after the header if
 *       there is one; to be mended and loaded
 *   <li>{@code FILE.reasons.csv}: where each came from, what was wrong, and what helps
 *   <li>{@code FILE.load.json}: how to load them, see {@link dev.penstock.loader.RejectedLoad}
 * </ul>
 *
 * All three are written under other names and forced; only then they are renamed, the records last.
 * So who sees the records sees all of them, and where there is no room for one of them, all three
 * stay what they were. Where one cannot be renamed, the last of them is put back, for it must not
 * speak of records that are an earlier load's. What is no regular file, as a device, a pipe or
 * {@code /dev/stdout}, takes the records only.
 */
public final class RejectFiles {
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    /** By which other programs tell it; {@link Compression} wants to see more. */
    private static final byte[] GZIP_MARK = {0x1F, (byte) 0x8B};

    private static final byte[] LINE_END = {'\n'};
    private static final byte[] RETURN_AND_LINE_END = {'\r', '\n'};

    private final RejectLog log;
    private final @Nullable LineFinder lines;
    private final Inputs inputs;
    private final LocalDisk disk;

    /**
     * @param lines null if nobody waits for the lines to be counted
     * @param disk room for the files
     */
    public RejectFiles(RejectLog log, @Nullable LineFinder lines, Inputs inputs, LocalDisk disk) {
        this.log = log;
        this.lines = lines;
        this.inputs = inputs;
        this.disk = disk;
    }

    /** The file of reasons beside a rejects file. */
    public static Path reasonsFile(Path rejectsFile) {
        return beside(rejectsFile, ".reasons.csv");
    }

    /** The file that says how to load a rejects file. */
    public static Path loadFile(Path rejectsFile) {
        return beside(rejectsFile, ".load.json");
    }

    /** Beside the file itself, if a link names it. */
    private static Path beside(Path rejectsFile, String suffix) {
        try {
            Path file = Files.isRegularFile(rejectsFile) ? rejectsFile.toRealPath() : rejectsFile;
            return file.resolveSibling(file.getFileName() + suffix);
        } catch (IOException e) {
            return rejectsFile.resolveSibling(rejectsFile.getFileName() + suffix);
        }
    }

    /**
     * Refuses a name that can be no file, or that would take the place of an input, before there is
     * anything to write.
     *
     * @throws PenstockException of category USAGE
     */
    public static void check(Path rejectsFile, Inputs inputs) {
        RejectPlace.check(rejectsFile, inputs);
    }

    /** Whether the records would go to standard output, whatever name that has. */
    public static boolean isStandardOutput(Path rejectsFile) {
        return RejectPlace.isStandardOutput(rejectsFile);
    }

    /** Where the rejects of a failed load go if the file has others that are needed. */
    public static Path failedFile(Path rejectsFile) {
        return beside(rejectsFile, ".failed");
    }

    /** Where rejects of an earlier load stay that are needed: a name that none of its files has. */
    public static Path asideFile(Path rejectsFile) {
        Path aside;
        int number = 0;
        do {
            number++;
            aside = beside(rejectsFile, "." + number);
        } while (Stream.of(aside, reasonsFile(aside), loadFile(aside)).anyMatch(Files::exists));
        return aside;
    }

    /** All names under which files are written. */
    static List<Path> written(Path rejectsFile) {
        return Stream.of(rejectsFile, failedFile(rejectsFile))
                .flatMap(file -> Stream.of(file, reasonsFile(file), loadFile(file)))
                .flatMap(file -> Stream.of(file, PartFile.part(file)))
                .toList();
    }

    /**
     * Writes all files, replacing what was there. Without rejects they are empty but for headers. A
     * device or a pipe takes the records once, whatever becomes of the load afterwards.
     *
     * @param header the header record without line end, or empty
     * @param load text of the file that says how to load them
     * @param aside where the files that are there stay, or null if nobody needs them
     * @param goOn called now and then, and last before the files change or when a device has taken
     *     the records; throws if they are not wanted any more, which takes time where lines are
     *     counted
     * @throws PenstockException of category {@code IO} naming a file; then none has changed but
     *     those that it calls new
     */
    public void write(
            Path rejectsFile, byte[] header, String load, @Nullable Path aside, Runnable goOn) {
        log.checkWhole();
        try {
            RejectPlace place = RejectPlace.of(rejectsFile);
            if (place.kind() == RejectPlace.Kind.FILE) {
                writeFiles(place.path(), header, load, aside, goOn);
            } else if (!log.isHandedOver()) {
                writeDevice(place, header);
                goOn.run();
            }
        } catch (IOException e) {
            throw log.lost(
                    PenstockException.io(
                            "The rejects file "
                                    + rejectsFile
                                    + " could not be written: "
                                    + LocalDisk.reason(e)
                                    + "."
                                    + RejectLog.NOTHING_VISIBLE,
                            e));
        }
    }

    private void writeFiles(
            Path target, byte[] header, String load, @Nullable Path aside, Runnable goOn)
            throws IOException {
        try (PartFile records = PartFile.of(target, disk);
                PartFile reasons = PartFile.of(reasonsFile(target), disk);
                PartFile how = PartFile.of(loadFile(target), disk)) {
            writeAll(header, records, new RejectReasons(reasons), goOn);
            how.write((load + "\n").getBytes(StandardCharsets.UTF_8));
            how.settle();
            reasons.settle();
            records.settle();
            goOn.run();
            if (aside != null) {
                keep(target, aside);
            }
            complete(how, reasons, records);
        } finally {
            forceNames(target);
        }
    }

    /** Until others take their place the files have both names: nothing is lost in between. */
    private static void keep(Path target, Path aside) throws IOException {
        keepFile(target, aside);
        keepFile(reasonsFile(target), reasonsFile(aside));
        keepFile(loadFile(target), loadFile(aside));
    }

    private static void keepFile(Path file, Path name) throws IOException {
        if (Files.notExists(file)) {
            return;
        }
        try {
            Files.createLink(name, file);
        } catch (IOException | UnsupportedOperationException e) {
            Files.copy(file, name);
        }
    }

    /** Renames one after the other; where that fails, says which files are new. */
    private void complete(PartFile how, PartFile reasons, PartFile records) throws IOException {
        EarlierFile earlier = EarlierFile.of(how.target());
        List<PartFile> renamed = new ArrayList<>();
        List<PartFile> others = new ArrayList<>(List.of(how, reasons, records));
        while (!others.isEmpty()) {
            PartFile next = others.getFirst();
            try {
                next.complete();
            } catch (IOException e) {
                if (renamed.contains(how) && earlier.putBack(disk)) {
                    renamed.remove(how);
                    others.addFirst(how);
                }
                throw notInPlace(next, renamed, others, e);
            }
            renamed.add(others.removeFirst());
        }
    }

    private static IOException notInPlace(
            PartFile failed, List<PartFile> renamed, List<PartFile> others, IOException cause) {
        String name = failed.target().toString();
        String which =
                renamed.isEmpty()
                        ? ""
                        : "; " + are(renamed, "new now, ") + are(others, "as before");
        String why = name + " cannot be replaced: " + LocalDisk.reason(cause) + which;
        FileSystemException failure = new FileSystemException(name, null, why);
        failure.initCause(cause);
        return failure;
    }

    private static String are(List<PartFile> files, String what) {
        return files.stream()
                        .map(file -> file.target().toString())
                        .collect(Collectors.joining(" and "))
                + (files.size() == 1 ? " is " : " are ")
                + what;
    }

    private void writeDevice(RejectPlace place, byte[] header) throws IOException {
        try (PartFile device = place.open()) {
            writeAll(header, device, null, () -> {});
            device.complete();
        }
        log.handOver();
    }

    /** Writes the file that says how to load them once more, the others staying as they are. */
    public static void rewriteLoad(Path rejectsFile, String load, LocalDisk disk) {
        try {
            RejectPlace place = RejectPlace.of(rejectsFile);
            if (place.kind() == RejectPlace.Kind.FILE) {
                try (PartFile how = PartFile.of(loadFile(place.path()), disk)) {
                    how.write((load + "\n").getBytes(StandardCharsets.UTF_8));
                    how.complete();
                }
                forceNames(place.path());
            }
        } catch (IOException e) {
            throw PenstockException.io(
                    loadFile(rejectsFile) + " could not be written: " + LocalDisk.reason(e), e);
        }
    }

    private static void forceNames(Path target) {
        Path folder = Objects.requireNonNull(target.toAbsolutePath().getParent());
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        } catch (IOException e) {
            // Some systems open no folders; there a name is as durable as it can be made.
        }
    }

    private void writeAll(
            byte[] header, PartFile records, @Nullable RejectReasons reasons, Runnable goOn)
            throws IOException {
        if (header.length > 0) {
            records.write(header);
            records.write(LINE_END);
        }
        Iterator<Reject> deferred = log.deferred();
        Reject next = deferred.hasNext() ? deferred.next() : null;
        for (int chunkId : log.chunkIds()) {
            Iterator<Reject> ofChunk = log.ofChunk(chunkId);
            while (ofChunk.hasNext()) {
                Reject reject = ofChunk.next();
                while (next != null && RejectRuns.INPUT_ORDER.compare(next, reject) < 0) {
                    write(next, Integer.MAX_VALUE, records, reasons, goOn);
                    next = deferred.hasNext() ? deferred.next() : null;
                }
                write(reject, chunkId, records, reasons, goOn);
            }
        }
        while (next != null) {
            write(next, Integer.MAX_VALUE, records, reasons, goOn);
            next = deferred.hasNext() ? deferred.next() : null;
        }
    }

    private void write(
            Reject reject,
            int chunkId,
            PartFile records,
            @Nullable RejectReasons reasons,
            Runnable goOn)
            throws IOException {
        byte[] record = reject.record();
        if (records.position() == 0 && mistakable(record)) {
            records.write(BYTE_ORDER_MARK);
        }
        long offset = records.position();
        records.write(record);
        // One return before a line feed belongs to the line end, so that of the record needs
        // another.
        boolean endsWithReturn = record.length > 0 && record[record.length - 1] == '\r';
        records.write(endsWithReturn ? RETURN_AND_LINE_END : LINE_END);
        if (reasons != null) {
            long line = lines == null ? Reject.LINE_UNKNOWN : lines.lineOf(reject, chunkId, goOn);
            reasons.add(reject, inputs.file(reject.sourceIndex()).name(), line, offset);
        }
    }

    /** Whether a file that begins so would be taken for something else; a mark before it helps. */
    private static boolean mistakable(byte[] record) {
        return beginsWith(record, BYTE_ORDER_MARK)
                || beginsWith(record, GZIP_MARK)
                || Compression.of(record, record.length) != Compression.NONE
                || NotText.mayBegin(record);
    }

    private static boolean beginsWith(byte[] record, byte[] mark) {
        return record.length >= mark.length
                && Arrays.equals(record, 0, mark.length, mark, 0, mark.length);
    }
}
