/** How records and fields are written in a text file. */
@NullMarked
package dev.penstock.dialect;

import org.jspecify.annotations.NullMarked;
