/// JMH benchmarks and end-to-end comparisons.
@NullMarked
package dev.penstock.benchmarks;

import org.jspecify.annotations.NullMarked;
