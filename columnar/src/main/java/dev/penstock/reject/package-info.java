/** Records that could not become rows, as values. */
@NullMarked
package dev.penstock.reject;

import org.jspecify.annotations.NullMarked;
