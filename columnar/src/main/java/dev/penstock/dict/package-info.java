/** Order-preserving dictionaries: build, union, remap. */
@NullMarked
package dev.penstock.dict;

import org.jspecify.annotations.NullMarked;
