package dev.penstock.kv.meta;

/** A leader whose log is written anew again and again. */
class ShortenedLogTest extends LocalMetadataTest {
    @Override
    long logLimit() {
        return 0;
    }
}
