/** The store as its users see it: open or connect, tables, rows in and out. */
@NullMarked
package dev.penstock.kv;

import org.jspecify.annotations.NullMarked;
