/** Connections between clients and servers: the only importer of Netty. */
@NullMarked
package dev.penstock.kv.net;

import org.jspecify.annotations.NullMarked;
