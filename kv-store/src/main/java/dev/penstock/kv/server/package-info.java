/** Assembly: the processes that serve regions, their configuration and life cycle. */
@NullMarked
package dev.penstock.kv.server;

import org.jspecify.annotations.NullMarked;
