/** What the build changes so that commands start sooner: how annotations of options are read. */
@NullMarked
package dev.penstock.cli.start;

import org.jspecify.annotations.NullMarked;
