/** What a load did: rejects, times, outcome. */
@NullMarked
package dev.penstock.loader.report;

import org.jspecify.annotations.NullMarked;
