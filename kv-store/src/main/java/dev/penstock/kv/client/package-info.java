/**
 * The client's side of the store: which server hosts what, and calls that follow when that changes.
 */
@NullMarked
package dev.penstock.kv.client;

import org.jspecify.annotations.NullMarked;
