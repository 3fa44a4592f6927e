/// The friendly interface of a bulk load.
@NullMarked
package dev.penstock.loader;

import org.jspecify.annotations.NullMarked;
