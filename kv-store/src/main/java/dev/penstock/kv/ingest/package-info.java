/** Loads at a region server: take each fragment once, finish its steps, stage, merge, prepare. */
@NullMarked
package dev.penstock.kv.ingest;

import org.jspecify.annotations.NullMarked;
