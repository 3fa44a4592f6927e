package dev.penstock.loader.file;

import dev.penstock.error.PenstockException;

import java.nio.file.Path;

/** An input that is no stream, and how the user has named it. */
record NamedPath(Path path, By by) {
    enum By {
        NAME("it"),
        FOLDER("the folder"),
        PATTERN("the pattern");

        private final String words;

        By(String words) {
            this.words = words;
        }
    }

    /** The refusal of another one that is the same file. */
    PenstockException twice(NamedPath other) {
        boolean sameName = other.path.equals(path);
        boolean canBeLeftOut = sameName || by == By.NAME || other.by == By.NAME;
        return PenstockException.usage(
                other.path
                        + (sameName ? " is named twice" : " is the same file as " + path)
                        + ", so its rows would be loaded twice; name "
                        + (canBeLeftOut
                                ? "it once."
                                : "the files instead of " + other.by.words + "."));
    }
}
