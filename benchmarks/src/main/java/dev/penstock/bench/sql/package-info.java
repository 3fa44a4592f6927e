/** Whole SQL statements beside another engine's. */
@NullMarked
package dev.penstock.bench.sql;

import org.jspecify.annotations.NullMarked;
