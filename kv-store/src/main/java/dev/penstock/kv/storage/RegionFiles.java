package dev.penstock.kv.storage;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Names of a region's files, all in one folder, which exists once there is anything to be in it:
 *
 * <pre>
 *   manifest                      what the region is made of, unless the journal says it
 *   log-NUMBER                    write-ahead logs
 *   layer-SEQUENCE-ORDINAL.seg    segments of flushes and compactions
 *   load-LOADID-ORDINAL.seg       segments of loads
 *   ANY.new                       a manifest or log being written
 * </pre>
 */
public record RegionFiles(Path directory, long regionId) {
    private static final String LOG = "log-";

    /** Ends the name of a log that does not have its own yet. */
    static final String UNFINISHED = ".new";

    /** The folder of a region among those of all regions. */
    public static RegionFiles in(Path regions, long regionId) {
        return new RegionFiles(regions.resolve("region-" + regionId), regionId);
    }

    /** The inverse of {@link #in}; nothing if the name is not a region's. */
    public static Optional<RegionFiles> of(Path directory) {
        String name = directory.getFileName().toString();
        if (!name.matches("region-[0-9]{1,18}")) {
            return Optional.empty();
        }
        long regionId = Long.parseLong(name.substring("region-".length()));
        return Optional.of(new RegionFiles(directory, regionId));
    }

    public Path manifest() {
        return directory.resolve("manifest");
    }

    public Path log(long number) {
        return directory.resolve(LOG + number);
    }

    /** The number of a write-ahead log, or -1 if the file is none. */
    public static long logNumber(Path file) {
        String name = file.getFileName().toString();
        return name.matches(LOG + "[0-9]{1,18}")
                ? Long.parseLong(name.substring(LOG.length()))
                : -1;
    }

    public String layerPrefix(long sequence) {
        return "layer-" + sequence;
    }

    public String loadPrefix(String loadId) {
        return "load-" + loadId;
    }

    /** A file named in a manifest or the journal. */
    public Path segment(String name) {
        return directory.resolve(Path.of(name).getFileName());
    }
}
