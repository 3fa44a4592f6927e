package dev.penstock.loader;

/**
 * How far a load has come. Within one phase no number ever goes down; a load that begins again does
 * so with its first phase.
 *
 * @param phase what the load is doing
 * @param bytesDone input bytes (as stored, so compressed where the input is) that have been read
 * @param bytesTotal input bytes in all, or -1 if unknown as for standard input
 * @param rows rows handed over to the target so far
 * @param rejects records rejected so far
 * @param bytesSent fragment bytes handed over
 * @param regionsDone regions that have finished merging; meaningful in {@link LoadPhase#MERGE}
 * @param regionsTotal regions of the table
 * @param seconds since the load began
 * @param bytesPerSecond mean over the phase {@link LoadPhase#LOAD}
 * @param bytesPerSecondNow since the report before this one
 * @param rowsPerSecond mean over the phase {@link LoadPhase#LOAD}
 * @param etaSeconds until all input has been read, or -1 if unknown
 */
public record LoadProgress(
        LoadPhase phase,
        long bytesDone,
        long bytesTotal,
        long rows,
        long rejects,
        long bytesSent,
        int regionsDone,
        int regionsTotal,
        double seconds,
        double bytesPerSecond,
        double bytesPerSecondNow,
        double rowsPerSecond,
        double etaSeconds) {}
