/** Split points from a key sketch, and how even the regions will be. */
@NullMarked
package dev.penstock.sampler.split;

import org.jspecify.annotations.NullMarked;
