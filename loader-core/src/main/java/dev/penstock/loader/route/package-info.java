/** Which region each row goes to. */
@NullMarked
package dev.penstock.loader.route;

import org.jspecify.annotations.NullMarked;
