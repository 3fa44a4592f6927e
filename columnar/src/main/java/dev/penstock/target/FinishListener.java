package dev.penstock.target;

/** Told of each region that has merged its part of a load. */
@FunctionalInterface
public interface FinishListener {
    void finished(RegionReceipt receipt);
}
