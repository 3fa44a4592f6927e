package dev.penstock.loader.fake;

import dev.penstock.batch.ColumnSums;
import dev.penstock.error.PenstockException;
import dev.penstock.reject.Reject;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.FragmentForm;
import dev.penstock.step.StepTimes;
import dev.penstock.target.AckListener;
import dev.penstock.target.ColumnOutcome;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.FinishListener;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTicket;
import dev.penstock.target.RegionInfo;
import dev.penstock.target.RegionMap;
import dev.penstock.target.RegionReceipt;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** One load into a {@link FolderTarget}; each fragment is a file named after its header. */
final class FolderSession implements LoadSession {
    private static final BitSet NO_COLUMNS = new BitSet();

    private final FolderTarget target;
    private final Path root;
    private final Path folder;
    private final long ordinal;
    private final AckListener listener;
    private final @Nullable LoadRequest request;
    private final TableSchema schema;
    private final List<String> merged = new ArrayList<>();
    private boolean ended;

    FolderSession(
            FolderTarget target,
            Path root,
            Path folder,
            long ordinal,
            LoadRequest request,
            AckListener listener) {
        this.target = target;
        this.root = root;
        this.folder = folder;
        this.ordinal = ordinal;
        this.request = request;
        this.listener = listener;
        this.schema = TestTables.named(request.table()).orElseThrow();
    }

    FolderSession(
            FolderTarget target, Path root, Path folder, LoadTicket ticket, AckListener listener) {
        this.target = target;
        this.root = root;
        this.folder = folder;
        this.ordinal = ticket.loadOrdinal();
        this.request = null;
        this.listener = listener;
        String table = folder.getName(folder.getNameCount() - 2).toString();
        this.schema = TestTables.named(table).orElseThrow();
    }

    @Override
    public String loadId() {
        return folder.toString();
    }

    @Override
    public long loadOrdinal() {
        return ordinal;
    }

    @Override
    public LoadTicket invite() {
        return new LoadTicket(FolderTargetProvider.PREFIX + root, loadId(), ordinal);
    }

    @Override
    public RegionMap regions() {
        return target.regions(schema.name());
    }

    @Override
    public void send(FragmentHeader header, byte[] payload, int length) {
        if (Files.exists(folder.resolve("die"))) {
            System.err.println("the folder says: die");
            Runtime.getRuntime().halt(7);
        }
        String name =
                String.format(
                        "%08d-%d-%s-%d.fragment",
                        header.chunkId(), header.regionId(), header.form(), header.rowCount());
        try {
            Files.write(folder.resolve(name), Arrays.copyOf(payload, length));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        long rows = header.rowCount();
        List<Reject> rejects = new ArrayList<>();
        if (header.form() == FragmentForm.RAW && request != null && !request.deferSteps()) {
            rows = new FragmentRows(schema, request, header, payload, length, rejects).count();
        }
        if (header.form() != FragmentForm.RAW && request != null) {
            checkSums(request, header, payload, length);
        }
        listener.acknowledged(
                new FragmentAck(header.chunkId(), header.regionId(), rows, rejects, NO_COLUMNS));
    }

    /** A header's sums, made of parsed rows, have to be those of the fragment. */
    private void checkSums(LoadRequest begun, FragmentHeader header, byte[] payload, int length) {
        ColumnSums sums =
                begun.verification().sums()
                        ? new FragmentRows(schema, begun, header, payload, length, List.of()).sums()
                        : ColumnSums.NONE;
        if (!header.sums().equals(sums)) {
            throw PenstockException.corrupt(header + " does not have the sums of its rows");
        }
    }

    @Override
    public void flush() {}

    @Override
    public StepTimes transferTimes() {
        return new StepTimes();
    }

    @Override
    public List<RegionReceipt> finish(FinishListener finished) {
        List<RegionReceipt> receipts = new ArrayList<>();
        for (RegionInfo region : regions().regions()) {
            RegionReceipt receipt = finish(region);
            finished.finished(receipt);
            receipts.add(receipt.withoutRejects());
        }
        return receipts;
    }

    private RegionReceipt finish(RegionInfo region) {
        LoadRequest begun = request;
        if (begun == null) {
            throw new IllegalStateException("an attached session cannot finish");
        }
        TreeMap<byte[], String> rows = new TreeMap<>(Arrays::compareUnsigned);
        List<Reject> rejects = new ArrayList<>();
        long duplicates = 0;
        long bytes = 0;
        ColumnSums sums = new ColumnSums(schema.columnCount());
        for (Path file : fragments(region.regionId())) {
            FragmentHeader header = header(file);
            byte[] payload = read(file);
            bytes += payload.length;
            FragmentRows fragment =
                    new FragmentRows(schema, begun, header, payload, payload.length, rejects);
            if (header.form() != FragmentForm.RAW && fragment.count() != header.rowCount()) {
                throw PenstockException.corrupt(file + " holds " + fragment.count() + " rows");
            }
            sums.add(fragment.sums());
            for (int i = 0; i < fragment.count(); i++) {
                byte[] key = fragment.key(i);
                if (!region.range().contains(key)) {
                    throw PenstockException.corrupt(file + " holds a row of another region");
                }
                String before = rows.get(key);
                if (before != null) {
                    duplicates++;
                    if (begun.duplicates() == DuplicatePolicy.ERROR) {
                        throw PenstockException.data("a key exists twice: " + before);
                    }
                }
                if (before == null || begun.duplicates() != DuplicatePolicy.KEEP_FIRST) {
                    rows.put(key, fragment.line(i));
                }
            }
        }
        merged.addAll(rows.values());
        List<ColumnOutcome> columns =
                schema.columns().stream()
                        .map(column -> new ColumnOutcome(column.name(), "plain", -1, 1))
                        .toList();
        return new RegionReceipt(
                region.regionId(),
                region.server(),
                rows.size(),
                duplicates,
                0,
                bytes,
                columns,
                sums,
                new ColumnSums(schema.columnCount()),
                begun.deferSteps() ? rejects : List.of(),
                new StepTimes());
    }

    private List<Path> fragments(long regionId) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(file -> file.toString().endsWith(".fragment"))
                    .filter(file -> header(file).regionId() == regionId)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FragmentHeader header(Path file) {
        String[] parts = String.valueOf(file.getFileName()).split("[-.]");
        return new FragmentHeader(
                Integer.parseInt(parts[0]),
                Long.parseLong(parts[1]),
                FragmentForm.valueOf(parts[2]),
                Integer.parseInt(parts[3]));
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public long publish(String report) {
        FolderTarget.write(folder.resolveSibling("rows"), merged);
        if (!report.isEmpty()) {
            FolderTarget.write(
                    folder.resolveSibling("label-" + Objects.requireNonNull(request).label()),
                    List.of(report));
        }
        remove();
        return ordinal;
    }

    @Override
    public void abort() {
        remove();
    }

    private void remove() {
        ended = true;
        try (Stream<Path> entries = Files.walk(folder)) {
            for (Path path : entries.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (request != null && !ended) {
            abort();
        }
    }
}
