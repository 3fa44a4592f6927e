/** Files that survive: the only way to the disk, checked logs, and what pins files for readers. */
@NullMarked
package dev.penstock.kv.storage;

import org.jspecify.annotations.NullMarked;
