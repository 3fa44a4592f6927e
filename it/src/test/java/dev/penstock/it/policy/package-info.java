/** What is stored does not depend on who did which step. */
@NullMarked
package dev.penstock.it.policy;

import org.jspecify.annotations.NullMarked;
