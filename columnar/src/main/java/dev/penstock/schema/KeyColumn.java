package dev.penstock.schema;

/** One part of a primary key: which column (index into the table's columns), and its direction. */
public record KeyColumn(int columnIndex, boolean descending) {}
