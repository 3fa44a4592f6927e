/** Which blocks of the inputs are read for a sample, and where records start in them. */
@NullMarked
package dev.penstock.sampler.probe;

import org.jspecify.annotations.NullMarked;
