/// Tests over the assembled system.
@NullMarked
package dev.penstock.it;

import org.jspecify.annotations.NullMarked;
