package dev.penstock.loader.fake;

import dev.penstock.target.LoadTarget;
import dev.penstock.target.LoadTargetProvider;

import java.nio.file.Path;

/** Opens {@link FolderTarget}s by addresses such as {@code folder:/tmp/x}. */
public final class FolderTargetProvider implements LoadTargetProvider {
    static final String PREFIX = "folder:";

    @Override
    public boolean accepts(String address) {
        return address.startsWith(PREFIX);
    }

    @Override
    public LoadTarget open(String address) {
        return new FolderTarget(Path.of(address.substring(PREFIX.length())));
    }
}
