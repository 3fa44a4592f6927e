/** Clusters of real processes on this machine. */
@NullMarked
package dev.penstock.it.cluster;

import org.jspecify.annotations.NullMarked;
