/** Records as JSON and back: reports, plans, messages. */
@org.jspecify.annotations.NullMarked
package dev.penstock.loader.json;
