/** JMH benchmarks of single kernels. */
@NullMarked
package dev.penstock.bench.kernel;

import org.jspecify.annotations.NullMarked;
