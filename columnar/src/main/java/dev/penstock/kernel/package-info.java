/** Branch-light array functions, each with a scalar and where it pays a vector form. */
@NullMarked
package dev.penstock.kernel;

import org.jspecify.annotations.NullMarked;
