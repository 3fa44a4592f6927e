/** What one part of the store asks of another: the region server's and the leader's interfaces. */
@NullMarked
package dev.penstock.kv.api;

import org.jspecify.annotations.NullMarked;
