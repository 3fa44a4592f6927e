/**
 * Messages between clients, region servers and the leader: records, their binary form and the frame
 * around them. Knows no sockets. Every length that is read is checked before anything is allocated.
 */
@NullMarked
package dev.penstock.kv.wire;

import org.jspecify.annotations.NullMarked;
