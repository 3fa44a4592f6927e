/** Rows as Apache Arrow; the only code that knows Arrow. */
@NullMarked
package dev.penstock.cli.arrow;

import org.jspecify.annotations.NullMarked;
