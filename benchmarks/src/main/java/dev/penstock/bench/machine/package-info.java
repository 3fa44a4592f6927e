/** What a machine is and does: facts beside every figure, and the CPU time of processes. */
@NullMarked
package dev.penstock.bench.machine;

import org.jspecify.annotations.NullMarked;
