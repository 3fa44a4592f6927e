/** What a loader needs of a store: the SPI between loading and storing. */
@NullMarked
package dev.penstock.target;

import org.jspecify.annotations.NullMarked;
