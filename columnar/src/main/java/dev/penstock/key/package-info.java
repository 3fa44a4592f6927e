/** Order-preserving key encoding, key ranges and split points. */
@NullMarked
package dev.penstock.key;

import org.jspecify.annotations.NullMarked;
