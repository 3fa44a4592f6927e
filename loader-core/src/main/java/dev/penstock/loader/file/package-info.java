/** Inputs: what they are, how they are read, and how they are cut into chunks. */
@NullMarked
package dev.penstock.loader.file;

import org.jspecify.annotations.NullMarked;
