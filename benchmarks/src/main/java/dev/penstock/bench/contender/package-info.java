/** Penstock and other engines, each loading the same file into an empty folder of its own. */
@NullMarked
package dev.penstock.bench.contender;

import org.jspecify.annotations.NullMarked;
