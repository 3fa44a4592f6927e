/** Reading: queries on what was loaded, Penstock and DuckDB in turn within one process. */
@NullMarked
package dev.penstock.bench.read;

import org.jspecify.annotations.NullMarked;
