/** Records as JSON and back: reports, plans, messages. */
@NullMarked
package dev.penstock.loader.json;

import org.jspecify.annotations.NullMarked;
