/** How far a load has come, told at a bounded rate. */
@NullMarked
package dev.penstock.loader.progress;

import org.jspecify.annotations.NullMarked;
