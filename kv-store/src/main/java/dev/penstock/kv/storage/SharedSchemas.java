package dev.penstock.kv.storage;

import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.schema.TableSchema;

import java.lang.ref.WeakReference;
import java.util.WeakHashMap;

/**
 * Makes equal schemas one object: every region's part of the journal and every manifest holds the
 * schema of its table, and as many copies as there are regions would take more heap than all else
 * that is known of them. One for each server, which its {@link RegionJournal} owns. A schema goes
 * with the last one who uses it. Thread-safe.
 */
public final class SharedSchemas {
    // Guarded by this
    private final WeakHashMap<TableSchema, WeakReference<TableSchema>> known = new WeakHashMap<>();

    SharedSchemas() {}

    /** The first schema that was given and is equal to this one, which may be itself. */
    public synchronized TableSchema share(TableSchema schema) {
        WeakReference<TableSchema> reference = known.get(schema);
        TableSchema first = reference == null ? null : reference.get();
        if (first != null) {
            return first;
        }
        known.put(schema, new WeakReference<>(schema));
        return schema;
    }

    /** The same record, with a shared schema if it has one. */
    ManifestRecord share(ManifestRecord manifestRecord) {
        return manifestRecord instanceof ManifestRecord.Created(RegionDescriptor region)
                ? new ManifestRecord.Created(
                        new RegionDescriptor(
                                region.regionId(),
                                region.tableId(),
                                share(region.schema()),
                                region.range()))
                : manifestRecord;
    }
}
