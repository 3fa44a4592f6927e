/**
 * Random queries on random tables, asked with what region servers do, without it, and of a plain
 * reading of the rows that shares no code with either.
 */
@NullMarked
package dev.penstock.sql.differential;

import org.jspecify.annotations.NullMarked;
