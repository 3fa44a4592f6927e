/** One server over one data folder: its regions, its running loads, and the leader if it is one. */
@NullMarked
package dev.penstock.kv.node;

import org.jspecify.annotations.NullMarked;
