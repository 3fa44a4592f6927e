/// A seeded sample of the input and what it says about keys and columns.
@NullMarked
package dev.penstock.sampler;

import org.jspecify.annotations.NullMarked;
