/** A target that keeps what it is sent in a folder, for tests. */
@NullMarked
package dev.penstock.loader.fake;

import org.jspecify.annotations.NullMarked;
