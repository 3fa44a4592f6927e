/** The store as a target of loads. */
@NullMarked
package dev.penstock.kv.client.load;

import org.jspecify.annotations.NullMarked;
