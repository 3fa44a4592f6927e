package dev.penstock.loader.fake;

import dev.penstock.key.KeyRange;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.AckListener;
import dev.penstock.target.LabelledLoad;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.LoadTicket;
import dev.penstock.target.RegionInfo;
import dev.penstock.target.RegionMap;
import dev.penstock.target.TargetCapabilities;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A target over a folder: a table is a folder with its split points, a load a folder in it with one
 * file per fragment, so that several processes can take part. Publishing writes the merged rows as
 * text lines in key order.
 */
public final class FolderTarget implements LoadTarget {
    private final Path folder;
    private final int servers;

    public FolderTarget(Path folder) {
        this(folder, 1);
    }

    public FolderTarget(Path folder, int servers) {
        this.folder = folder;
        this.servers = servers;
    }

    @Override
    public TargetCapabilities capabilities() {
        return new TargetCapabilities(
                EnumSet.allOf(FragmentForm.class),
                TargetCapabilities.Atomicity.ALL_REGIONS,
                TargetCapabilities.Placement.PRE_SPLIT);
    }

    @Override
    public Optional<TableSchema> table(String name) {
        return Files.exists(folder.resolve(name)) ? TestTables.named(name) : Optional.empty();
    }

    @Override
    public void createTable(TableSchema schema) {
        create(folder.resolve(schema.name()));
    }

    @Override
    public RegionMap regions(String table) {
        List<byte[]> points = new ArrayList<>();
        Path file = folder.resolve(table).resolve("splits");
        if (Files.exists(file)) {
            lines(file).forEach(line -> points.add(HexFormat.of().parseHex(line)));
        }
        List<RegionInfo> regions = new ArrayList<>();
        byte[] start = new byte[0];
        for (int i = 0; i <= points.size(); i++) {
            byte[] end = i < points.size() ? points.get(i) : new byte[0];
            regions.add(new RegionInfo(100L + i, new KeyRange(start, end), "s" + i % servers));
            start = end;
        }
        return new RegionMap(table, regions);
    }

    @Override
    public long rowCount(String table) {
        return rows(table).size();
    }

    /** The published rows of a table as CSV lines in key order. */
    public List<String> rows(String table) {
        Path rows = folder.resolve(table).resolve("rows");
        return Files.exists(rows) ? lines(rows) : List.of();
    }

    /** Folders of loads that have neither been published nor aborted. */
    public List<String> openLoads(String table) {
        try (Stream<Path> entries = Files.list(folder.resolve(table))) {
            return entries.filter(Files::isDirectory).map(Path::toString).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<LabelledLoad> labelled(String table, String label) {
        Path file = folder.resolve(table).resolve("label-" + label);
        return Files.exists(file)
                ? Optional.of(new LabelledLoad("before", 1, String.join("\n", lines(file))))
                : Optional.empty();
    }

    @Override
    public int serverCount() {
        return servers;
    }

    @Override
    public RegionMap preSplit(String table, List<byte[]> splitPoints) {
        if (rowCount(table) == 0) {
            TreeSet<String> lines = new TreeSet<>();
            regions(table).regions().stream()
                    .skip(1)
                    .forEach(region -> lines.add(HexFormat.of().formatHex(region.range().start())));
            splitPoints.forEach(point -> lines.add(HexFormat.of().formatHex(point)));
            write(folder.resolve(table).resolve("splits"), List.copyOf(lines));
        }
        return regions(table);
    }

    @Override
    public LoadSession begin(LoadRequest request, AckListener listener) {
        Path table = folder.resolve(request.table());
        Path counter = table.resolve("ordinal");
        long ordinal = Files.exists(counter) ? Long.parseLong(lines(counter).get(0)) + 1 : 1;
        write(counter, List.of(Long.toString(ordinal)));
        Path load = table.resolve("load-" + ordinal);
        create(load);
        return new FolderSession(this, folder, load, ordinal, request, listener);
    }

    @Override
    public LoadSession attach(LoadTicket ticket, AckListener listener) {
        return new FolderSession(this, folder, Path.of(ticket.loadId()), ticket, listener);
    }

    @Override
    public void close() {}

    static void create(Path path) {
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void write(Path file, List<String> lines) {
        try {
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
