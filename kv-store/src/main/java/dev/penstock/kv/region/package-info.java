/** One region: rows in memory, layers on disk, and reads over both. */
@NullMarked
package dev.penstock.kv.region;

import org.jspecify.annotations.NullMarked;
