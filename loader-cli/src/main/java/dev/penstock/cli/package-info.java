/** The {@code penstock} command: each command class parses its options, calls and renders. */
@NullMarked
package dev.penstock.cli;

import org.jspecify.annotations.NullMarked;
