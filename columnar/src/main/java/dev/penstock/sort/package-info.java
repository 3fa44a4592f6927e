/** Key order of rows, and moving rows into it. */
@NullMarked
package dev.penstock.sort;

import org.jspecify.annotations.NullMarked;
