/// Rows in and out over JDBC.
@NullMarked
package dev.penstock.jdbc;

import org.jspecify.annotations.NullMarked;
