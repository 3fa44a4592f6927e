package dev.penstock.jdbc;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.sql.SqlErrors;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import java.util.regex.Pattern;

/**
 * {@code jdbc:penstock:/path/to/store} opens the store in a folder, {@code
 * jdbc:penstock://host:port[,host:port]/} connects to region servers.
 */
public final class PenstockDriver implements Driver {
    static final int MAJOR_VERSION = 0;
    static final int MINOR_VERSION = 1;

    private static final String PREFIX = "jdbc:penstock:";
    private static final Pattern SERVERS = Pattern.compile("//([^/]+)/?");

    static {
        try {
            DriverManager.registerDriver(new PenstockDriver());
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Made by {@code DriverManager}. */
    public PenstockDriver() {}

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith(PREFIX);
    }

    @Override
    public @Nullable Connection connect(String url, Properties properties) throws SQLException {
        if (!acceptsURL(url)) {
            return null;
        }
        String place = url.substring(PREFIX.length());
        try {
            return new PenstockConnection(url, open(place));
        } catch (PenstockException e) {
            throw SqlErrors.of(e);
        }
    }

    private static Penstock open(String place) {
        if (place.startsWith("//")) {
            var servers = SERVERS.matcher(place);
            if (!servers.matches()) {
                throw PenstockException.usage(
                        PREFIX + place + " is not of the form " + PREFIX + "//host:port/");
            }
            return Penstock.connect(servers.group(1));
        }
        Path folder = Path.of(place);
        if (place.isEmpty() || !Files.isDirectory(folder)) {
            throw PenstockException.usage("there is no store in '" + place + "'");
        }
        return Penstock.open(folder);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return MAJOR_VERSION;
    }

    @Override
    public int getMinorVersion() {
        return MINOR_VERSION;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw Unsupported.method("getParentLogger");
    }
}
