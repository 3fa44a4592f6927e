/** The exception root: what failed, and whether to retry, re-route or stop. */
@NullMarked
package dev.penstock.error;

import org.jspecify.annotations.NullMarked;
