/** Tables, regions, assignment, loads and epochs: the leader's log, its state and its orders. */
@NullMarked
package dev.penstock.kv.meta;

import org.jspecify.annotations.NullMarked;
