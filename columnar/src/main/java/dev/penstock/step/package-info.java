/**
 * The named steps of a load. A step is a function of bytes or batches, schema and budget, and knows
 * no site.
 */
@NullMarked
package dev.penstock.step;

import org.jspecify.annotations.NullMarked;
