package dev.penstock.target;

/** A table of a target: what a load needs to know to go there. */
public interface LoadDestination {
    LoadTarget loadTarget();

    String tableName();
}
