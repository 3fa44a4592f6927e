/** Odd text through whole loads, against a reading of it that shares nothing with them. */
@NullMarked
package dev.penstock.cli.oddtext;

import org.jspecify.annotations.NullMarked;
