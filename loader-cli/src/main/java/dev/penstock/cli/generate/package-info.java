/** TPC-H tables as text: their declarations, and their rows exactly as dbgen writes them. */
@NullMarked
package dev.penstock.cli.generate;

import org.jspecify.annotations.NullMarked;
