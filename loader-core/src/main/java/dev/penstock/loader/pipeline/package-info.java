/** Threads that run chunks to completion: read, deserialize, sort, route, encode, send. */
@NullMarked
package dev.penstock.loader.pipeline;

import org.jspecify.annotations.NullMarked;
