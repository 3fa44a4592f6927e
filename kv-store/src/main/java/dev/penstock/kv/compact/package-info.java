/** Choosing and merging layers of a region that have become too many. */
@NullMarked
package dev.penstock.kv.compact;

import org.jspecify.annotations.NullMarked;
