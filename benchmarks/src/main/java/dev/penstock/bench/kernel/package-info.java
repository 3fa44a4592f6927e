/** JMH benchmarks of single kernels and single steps, each of one thread. */
@NullMarked
package dev.penstock.bench.kernel;

import org.jspecify.annotations.NullMarked;
