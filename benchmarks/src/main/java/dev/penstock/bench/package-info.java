/** Measurements: kernels under JMH, whole loads side by side with other engines. */
@NullMarked
package dev.penstock.bench;

import org.jspecify.annotations.NullMarked;
