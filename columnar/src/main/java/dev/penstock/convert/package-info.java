/** Text to typed values and back. */
@NullMarked
package dev.penstock.convert;

import org.jspecify.annotations.NullMarked;
