/** Key quantiles and distinct counts; the only place that knows the sketch library. */
@NullMarked
package dev.penstock.sampler.sketch;

import org.jspecify.annotations.NullMarked;
