/** Tables, columns, types and keys as plain records. */
@NullMarked
package dev.penstock.schema;

import org.jspecify.annotations.NullMarked;
