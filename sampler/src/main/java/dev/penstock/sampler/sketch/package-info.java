/** The only place that knows the sketch library: key quantiles and distinct counts. */
@NullMarked
package dev.penstock.sampler.sketch;

import org.jspecify.annotations.NullMarked;
