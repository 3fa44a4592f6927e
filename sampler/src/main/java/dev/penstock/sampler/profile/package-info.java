/** What a sample says about each column. */
@NullMarked
package dev.penstock.sampler.profile;

import org.jspecify.annotations.NullMarked;
