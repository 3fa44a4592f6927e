package dev.penstock.jdbc;

import org.jspecify.annotations.Nullable;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.logging.Logger;

import javax.sql.DataSource;

/**
 * Connections to one store, for pools and containers that configure by setters. Not thread-safe
 * while it is being set up.
 */
public final class PenstockDataSource implements DataSource, SelfWrapper {
    private final Properties properties = new Properties();
    private String url = "";
    private int loginTimeout;
    private @Nullable PrintWriter logWriter;

    /** Names no store yet. */
    public PenstockDataSource() {}

    /** {@code jdbc:penstock:...}. */
    public void setUrl(String value) {
        url = value;
    }

    public String getUrl() {
        return url;
    }

    /** The folder of an embedded store, instead of a URL. */
    public void setFolder(String value) {
        url = ConnectionSettings.PREFIX + value;
    }

    /** {@code host:port[,host:port]} of region servers, instead of a URL. */
    public void setServers(String value) {
        url = ConnectionSettings.PREFIX + "//" + value + "/";
    }

    /** Whether a folder without a store becomes one. */
    public void setCreate(boolean value) {
        set(ConnectionSettings.Property.CREATE, Boolean.toString(value));
    }

    /** Seconds that a statement may take unless it says otherwise; 0 is no limit. */
    public void setQueryTimeout(int seconds) {
        set(ConnectionSettings.Property.QUERY_TIMEOUT, Integer.toString(seconds));
    }

    /** Threads of a load unless it says otherwise; 0 is one per processor. */
    public void setLoadThreads(int threads) {
        set(ConnectionSettings.Property.LOAD_THREADS, Integer.toString(threads));
    }

    /** File of the CA (PEM) of the servers' certificates: talk TLS. */
    public void setTlsCa(String file) {
        set(ConnectionSettings.Property.TLS_CA, file);
    }

    /** File of the certificate (PEM) to show to the servers. */
    public void setTlsCert(String file) {
        set(ConnectionSettings.Property.TLS_CERT, file);
    }

    /** File of the key (PEM) of that certificate. */
    public void setTlsKey(String file) {
        set(ConnectionSettings.Property.TLS_KEY, file);
    }

    /** File of the token to show to the servers. */
    public void setTokenFile(String file) {
        set(ConnectionSettings.Property.TOKEN_FILE, file);
    }

    /** A token to show to the servers, over TLS. */
    public void setPassword(String token) {
        set(ConnectionSettings.Property.PASSWORD, token);
    }

    /** Whether plain text to other machines is allowed. */
    public void setInsecure(boolean value) {
        set(ConnectionSettings.Property.INSECURE, Boolean.toString(value));
    }

    private void set(ConnectionSettings.Property property, String value) {
        properties.setProperty(property.word(), value);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return getConnection(properties);
    }

    private Connection getConnection(Properties wanted) throws SQLException {
        if (!url.startsWith(ConnectionSettings.PREFIX)) {
            throw ConnectionSettings.refused(
                    url.isEmpty()
                            ? "the data source names no store; set its URL, folder or servers"
                            : url + " does not begin with " + ConnectionSettings.PREFIX);
        }
        return PenstockDriver.open(url, wanted);
    }

    /** Stores know no users; over TLS the password is a token. */
    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password)
            throws SQLException {
        Properties mine = new Properties();
        mine.putAll(properties);
        if (password != null) {
            mine.setProperty(ConnectionSettings.Property.PASSWORD.word(), password);
        }
        return getConnection(mine);
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return logWriter;
    }

    /** Kept; nothing is written to it. */
    @Override
    public void setLogWriter(@Nullable PrintWriter out) {
        logWriter = out;
    }

    /** Kept; a connection attempt has its own limits. */
    @Override
    public void setLoginTimeout(int seconds) {
        loginTimeout = seconds;
    }

    @Override
    public int getLoginTimeout() {
        return loginTimeout;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger("dev.penstock");
    }
}
