/** How a load goes on where an earlier loader stopped. */
@NullMarked
package dev.penstock.loader.resume;

import org.jspecify.annotations.NullMarked;
