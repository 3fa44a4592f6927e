/** Reports, plans, progress and rows as text, JSON, CSV and Arrow. */
@NullMarked
package dev.penstock.cli.render;

import org.jspecify.annotations.NullMarked;
