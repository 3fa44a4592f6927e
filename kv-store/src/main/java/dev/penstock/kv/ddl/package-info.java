/**
 * SQL text at the edge of the store: CREATE TABLE statements, row conditions and keys written as
 * text.
 */
@NullMarked
package dev.penstock.kv.ddl;

import org.jspecify.annotations.NullMarked;
