/** Bytes that nobody meant to send, for everything that reads bytes. */
@NullMarked
package dev.penstock.kv.fuzz;

import org.jspecify.annotations.NullMarked;
