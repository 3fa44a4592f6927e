/** Row conditions with every name and literal resolved. */
@NullMarked
package dev.penstock.predicate;

import org.jspecify.annotations.NullMarked;
