/** A JDBC driver: connects to a store, describes its tables and counts their rows. */
@NullMarked
package dev.penstock.jdbc;

import org.jspecify.annotations.NullMarked;
