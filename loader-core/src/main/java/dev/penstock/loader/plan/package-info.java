/** From a user's words to a plan: inputs, dialect, mapping, regions and split points. */
@NullMarked
package dev.penstock.loader.plan;

import org.jspecify.annotations.NullMarked;
