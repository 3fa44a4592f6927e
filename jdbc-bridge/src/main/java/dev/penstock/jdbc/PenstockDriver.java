package dev.penstock.jdbc;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.sql.SqlErrors;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Logger;

/**
 * {@code jdbc:penstock:/path/to/store} opens the store in a folder, {@code
 * jdbc:penstock://host:port[,host:port]/} connects to region servers. Properties follow as {@code
 * ?name=value&name=value} or in {@code Properties}; see {@link #getPropertyInfo}.
 */
public final class PenstockDriver implements Driver {
    static final int MAJOR_VERSION = 0;
    static final int MINOR_VERSION = 1;

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
    public boolean acceptsURL(@Nullable String url) throws SQLException {
        if (url == null) {
            throw new SQLException("the URL is null", ConnectionSettings.STATE);
        }
        return url.startsWith(ConnectionSettings.PREFIX);
    }

    @Override
    public @Nullable Connection connect(String url, @Nullable Properties properties)
            throws SQLException {
        return acceptsURL(url)
                ? open(url, properties == null ? new Properties() : properties)
                : null;
    }

    static PenstockConnection open(String url, Properties properties) throws SQLException {
        ConnectionSettings settings = ConnectionSettings.of(url, properties);
        try {
            return new PenstockConnection(settings, handle(settings));
        } catch (PenstockException e) {
            throw switch (e.category()) {
                case USAGE, IO -> new SQLException(e.getMessage(), ConnectionSettings.STATE, e);
                case RETRY ->
                        new SQLTransientConnectionException(
                                e.getMessage(), ConnectionSettings.STATE, e);
                default -> SqlErrors.of(e);
            };
        } catch (IOException | InvalidPathException e) {
            throw new SQLException(
                    "the store in '" + settings.place() + "' cannot be opened: " + e,
                    ConnectionSettings.STATE,
                    e);
        }
    }

    private static StoreHandle handle(ConnectionSettings settings)
            throws IOException, SQLException {
        String servers = settings.servers();
        if (servers != null) {
            ClientSecurity security = settings.security();
            return StoreHandle.ofServers(servers, () -> Penstock.connect(servers, security));
        }
        Path folder = Path.of(settings.place());
        if (settings.create()) {
            Files.createDirectories(folder);
        } else if (!Files.isDirectory(folder)) {
            throw PenstockException.usage(
                    "there is no store in '" + folder + "'; the property create=true makes one");
        }
        return StoreHandle.ofFolder(folder);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, @Nullable Properties properties)
            throws SQLException {
        Map<String, String> values =
                ConnectionSettings.values(url, properties == null ? new Properties() : properties);
        return Arrays.stream(ConnectionSettings.Property.values())
                .map(property -> property.info(values.get(property.word())))
                .toArray(DriverPropertyInfo[]::new);
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
    public Logger getParentLogger() {
        return Logger.getLogger("dev.penstock");
    }
}
