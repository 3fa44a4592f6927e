/**
 * Tables as text, with their declarations: those of TPC-H exactly as dbgen writes them, and one of
 * 155 columns as business systems export them.
 */
@NullMarked
package dev.penstock.cli.generate;

import org.jspecify.annotations.NullMarked;
