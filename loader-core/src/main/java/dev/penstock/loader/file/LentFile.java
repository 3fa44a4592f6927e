package dev.penstock.loader.file;

import java.nio.channels.FileChannel;

/**
 * A file that stays open until it is given back.
 *
 * @param giveBack to be run once, whatever happens, by any thread
 */
public record LentFile(FileChannel channel, Runnable giveBack) {}
