package dev.penstock.kv.node;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.region.Region;
import dev.penstock.kv.region.RegionContext;
import dev.penstock.kv.storage.LastClose;
import dev.penstock.kv.storage.RegionFiles;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The regions of a server by id. A region whose files are damaged keeps its place and answers every
 * call with what is damaged; the others are served.
 */
final class RegionTable {
    /**
     * One region.
     *
     * @param region null if it is damaged
     * @param damage null if it is not
     */
    private record Slot(@Nullable Region region, @Nullable PenstockException damage) {}

    private final RegionContext context;
    private final LastClose lastClose;
    private final Path directory;
    private final Map<Long, Slot> slots = new ConcurrentHashMap<>();

    /** Regions that were closed because they may go, with the number of that. Guarded by this. */
    private final Map<Long, Long> closings = new HashMap<>();

    private long lastClosing;

    RegionTable(RegionContext context, LastClose lastClose, Path directory) {
        this.context = context;
        this.lastClose = lastClose;
        this.directory = directory;
        context.storage().createDirectories(directory);
    }

    /**
     * Opens all regions of the folder and the journal. Folders without a manifest that the journal
     * does not know are left of regions that were dropped, and go when the leader says that this
     * server has not got them; if it has, they are damaged.
     *
     * <p>A server that could not join does this again. Regions that are open stay so: two of the
     * same files would write over each other's changes.
     */
    synchronized void open() {
        Set<Long> young = context.journal().youngRegions();
        for (Path folder : context.storage().list(directory)) {
            Optional<RegionFiles> files = RegionFiles.of(folder);
            if (files.isPresent() && !young.contains(files.get().regionId())) {
                openOnce(files.get());
            }
        }
        for (long regionId : young) {
            openOnce(RegionFiles.in(directory, regionId));
        }
    }

    private void openOnce(RegionFiles files) {
        if (!slots.containsKey(files.regionId())) {
            slots.put(files.regionId(), open(files));
        }
    }

    private Slot open(RegionFiles files) {
        Optional<PenstockException> damage = lastClose.damage(files);
        if (damage.isPresent()) {
            return new Slot(null, damage.get());
        }
        try {
            return new Slot(Region.open(context, files), null);
        } catch (PenstockException e) {
            if (e.category() != ErrorCategory.CORRUPT) {
                throw e;
            }
            return new Slot(null, e);
        }
    }

    /**
     * All of them are durable on return.
     *
     * @throws PenstockException of category {@code CORRUPT} if one is there and damaged
     */
    synchronized void create(List<RegionDescriptor> descriptors) {
        descriptors.forEach(this::create);
        context.journal().force();
    }

    private void create(RegionDescriptor descriptor) {
        if (slots.containsKey(descriptor.regionId())) {
            // Refused if it is damaged: what is left of it must not make room for an empty one.
            Region present = get(descriptor.regionId());
            if (present.descriptor().equals(descriptor)) {
                reopen(present);
                return;
            }
            if (!present.closeIfEmpty()) {
                throw PenstockException.conflict(
                        "region " + descriptor.regionId() + " exists with other keys");
            }
            drop(descriptor.regionId());
        }
        RegionFiles files = RegionFiles.in(directory, descriptor.regionId());
        slots.put(descriptor.regionId(), new Slot(Region.create(context, files, descriptor), null));
    }

    private void reopen(Region region) {
        closings.remove(region.descriptor().regionId());
        region.reopen();
    }

    /** Whether a region takes no more rows, since it has none. */
    synchronized boolean closeIfEmpty(long regionId) {
        boolean closed = get(regionId).closeIfEmpty();
        if (closed) {
            closings.put(regionId, ++lastClosing);
        }
        return closed;
    }

    /** Regions that {@link #closeIfEmpty} has closed, with a number that is another every time. */
    synchronized Map<Long, Long> closings() {
        return Map.copyOf(closings);
    }

    /**
     * Opens or drops regions that were closed, unless they were closed once more since.
     *
     * @param asked what {@link #closings} had said before the leader was asked
     * @param assigned the regions that this server has, as the leader said
     */
    synchronized void settle(Map<Long, Long> asked, Set<Long> assigned) {
        asked.forEach((regionId, number) -> {
            if (number.equals(closings.get(regionId))) {
                if (assigned.contains(regionId)) {
                    closings.remove(regionId);
                    find(regionId).ifPresent(Region::reopen);
                } else {
                    drop(regionId);
                }
            }
        });
    }

    synchronized void drop(long regionId) {
        closings.remove(regionId);
        Slot slot = slots.remove(regionId);
        if (slot == null) {
            return;
        }
        Region region = slot.region();
        if (region != null) {
            region.drop();
        } else {
            context.journal().dropped(regionId);
            context.storage().deleteTree(RegionFiles.in(directory, regionId).directory());
        }
    }

    /** Makes sure that segments can be written to the regions' folders. */
    void makeFolders(List<Region> regions) {
        regions.forEach(region -> context.storage().makeDirectory(region.files().directory()));
        context.storage().forceDirectory(directory);
    }

    /** What was installed or prepared in regions will survive on return. */
    void force() {
        context.journal().force();
    }

    Region get(long regionId) {
        Slot slot = slots.get(regionId);
        if (slot == null) {
            throw new PenstockException(
                    ErrorCategory.REROUTE, "region " + regionId + " is not on this server");
        }
        Region region = slot.region();
        PenstockException damage = slot.damage();
        if (region == null || damage != null) {
            throw new PenstockException(
                    ErrorCategory.CORRUPT,
                    "region " + regionId + " cannot be served: " + message(damage),
                    damage);
        }
        return region;
    }

    private static String message(@Nullable PenstockException damage) {
        return damage == null ? "it is damaged" : String.valueOf(damage.getMessage());
    }

    /** The region if it is here and undamaged. */
    Optional<Region> find(long regionId) {
        Slot slot = slots.get(regionId);
        return slot == null || slot.damage() != null
                ? Optional.empty()
                : Optional.ofNullable(slot.region());
    }

    /** Serves a region no more, because something of it is missing. */
    void damaged(long regionId, PenstockException damage) {
        slots.computeIfPresent(regionId, (id, slot) -> new Slot(slot.region(), damage));
    }

    /** Answers for a region that should have a folder and has none. */
    void missing(long regionId) {
        PenstockException damage =
                PenstockException.corrupt(
                        RegionFiles.in(directory, regionId).directory() + " is missing");
        slots.put(regionId, new Slot(null, damage));
    }

    Set<Long> ids() {
        return Set.copyOf(slots.keySet());
    }

    /** All undamaged regions. */
    List<Region> all() {
        List<Region> regions = new ArrayList<>();
        for (Slot slot : slots.values()) {
            Region region = slot.region();
            if (region != null && slot.damage() == null) {
                regions.add(region);
            }
        }
        return regions;
    }

    /** After an opening that runs: its regions must not outlive this. */
    synchronized void close() {
        for (Slot slot : slots.values()) {
            Region region = slot.region();
            if (region != null) {
                region.close();
            }
        }
    }
}
