/** Who a peer is and what it may do; certificates, tokens and the files that hold them. */
@NullMarked
package dev.penstock.kv.security;

import org.jspecify.annotations.NullMarked;
