/** The newcomer's first minute: generate, load and read back in one go. */
@NullMarked
package dev.penstock.cli.demo;

import org.jspecify.annotations.NullMarked;
