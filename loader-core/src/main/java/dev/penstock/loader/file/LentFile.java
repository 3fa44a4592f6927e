package dev.penstock.loader.file;

import dev.penstock.target.TextFile;

/**
 * A file that stays open until it is given back.
 *
 * @param giveBack to be run once, whatever happens, by any thread
 */
public record LentFile(TextFile file, Runnable giveBack) {}
