package dev.penstock.target;

import dev.penstock.reject.Reject;
import java.util.BitSet;
import java.util.List;

/**
 * The target's answer to one fragment.
 *
 * @param rowsAccepted rows that will be part of the region when the load is published (before
 *     duplicates are resolved); 0 if the steps are deferred
 * @param rejects records of a raw fragment that did not become rows
 * @param plainColumns columns that turned out to have too many distinct values in this region for a
 *     dictionary: encoding them at the loader is wasted
 */
public record FragmentAck(
        int chunkId, long regionId, long rowsAccepted, List<Reject> rejects, BitSet plainColumns) {}
