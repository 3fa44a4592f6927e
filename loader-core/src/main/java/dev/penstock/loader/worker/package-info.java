/** Loader processes beside the driver, and the messages between them. */
@NullMarked
package dev.penstock.loader.worker;

import org.jspecify.annotations.NullMarked;
