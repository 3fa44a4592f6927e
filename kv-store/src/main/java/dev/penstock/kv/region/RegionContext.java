package dev.penstock.kv.region;

import dev.penstock.kv.storage.OpenSegments;
import dev.penstock.kv.storage.RegionJournal;
import dev.penstock.kv.storage.Storage;

import java.time.InstantSource;
import java.util.concurrent.Semaphore;

/**
 * What all regions of a server share.
 *
 * @param journal what several regions make durable at once
 * @param segments of all regions
 * @param flushBytes memory that a region's rows may take before they are written to a segment
 * @param rowMemory memory that the rows of all regions may take together before some are
 * @param mergePermits taken for each merge, so that few run at a time and memory stays bounded
 */
public record RegionContext(
        Storage storage,
        RegionJournal journal,
        OpenSegments segments,
        InstantSource clock,
        long flushBytes,
        RowMemory rowMemory,
        Semaphore mergePermits) {}
