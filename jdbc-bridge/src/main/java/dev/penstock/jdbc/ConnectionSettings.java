package dev.penstock.jdbc;

import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.kv.security.PrivateFiles;
import dev.penstock.kv.security.Secret;
import dev.penstock.kv.security.TlsFiles;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a URL and its properties say; those of the URL win.
 *
 * @param url as given
 * @param place a folder, or {@code //host:port[,host:port]/}
 * @param create whether a missing folder is created
 * @param queryTimeout seconds that a statement may take unless it says otherwise, 0 for no limit
 * @param loadThreads threads of a load unless it says otherwise, 0 for one per processor
 * @param proofs the properties that say how servers are reached and by whom; shown nowhere
 */
record ConnectionSettings(
        String url,
        String place,
        boolean create,
        int queryTimeout,
        int loadThreads,
        Proofs proofs) {
    static final String PREFIX = "jdbc:penstock:";
    static final String STATE = "08001";

    private static final Pattern SERVERS = Pattern.compile("//([^/]+)/?");
    private static final int MAX_THREADS = 1024;

    /** Properties by name, a token among them. */
    record Proofs(Map<String, String> values) {
        private String get(Property property) {
            return values.getOrDefault(property.word, property.absent);
        }

        private @Nullable Path path(Property property) {
            String value = get(property);
            return value.isEmpty() ? null : Path.of(value);
        }

        @Override
        public String toString() {
            return "Proofs[hidden]";
        }
    }

    /** The properties that there are. */
    enum Property {
        USER("user", "", "Accepted because tools send it; stores know no users."),
        PASSWORD("password", "", "With tlsCa: a token. Not in the URL."),
        CREATE("create", "false", "Whether a folder without a store becomes one."),
        QUERY_TIMEOUT("queryTimeout", "0", "Seconds that a statement may take; 0 is no limit."),
        LOAD_THREADS("loadThreads", "0", "Threads of a load; 0 is one per processor."),
        TLS_CA("tlsCa", "", "File (PEM) of the CA of the servers' certificates: talk TLS."),
        TLS_CERT("tlsCert", "", "File (PEM) of the certificate to show to the servers."),
        TLS_KEY("tlsKey", "", "File (PEM) of the key of tlsCert."),
        TOKEN_FILE("tokenFile", "", "File of the token to show to the servers."),
        INSECURE("insecure", "false", "Whether plain text to other machines is allowed.");

        private final String word;
        private final String absent;
        private final String description;

        Property(String word, String absent, String description) {
            this.word = word;
            this.absent = absent;
            this.description = description;
        }

        String word() {
            return word;
        }

        DriverPropertyInfo info(@Nullable String value) {
            boolean shown = value != null && this != PASSWORD;
            DriverPropertyInfo info = new DriverPropertyInfo(word, shown ? value : absent);
            info.description = description;
            info.required = false;
            if (this == CREATE || this == INSECURE) {
                info.choices = new String[] {"false", "true"};
            }
            return info;
        }
    }

    /**
     * Of a URL that begins with {@link #PREFIX}.
     *
     * @throws SQLException 08001 if it has another form, or for an unknown property or value
     */
    static ConnectionSettings of(String url, Properties properties) throws SQLException {
        TreeMap<String, String> values = values(url, properties);
        String place = place(url);
        for (String name : values.keySet()) {
            if (Arrays.stream(Property.values()).noneMatch(known -> known.word.equals(name))) {
                throw refused(
                        "there is no property '"
                                + name
                                + "'; there are "
                                + Arrays.stream(Property.values())
                                        .map(Property::word)
                                        .collect(Collectors.joining(", ")));
            }
        }
        if (place.isEmpty()) {
            throw refused(
                    url
                            + " names no store; write "
                            + PREFIX
                            + "/folder or "
                            + PREFIX
                            + "//host:port/");
        }
        if (place.startsWith("//") && !SERVERS.matcher(place).matches()) {
            throw refused(PREFIX + place + " is not of the form " + PREFIX + "//host:port/");
        }
        return new ConnectionSettings(
                url,
                place,
                truth(values, Property.CREATE),
                number(values, Property.QUERY_TIMEOUT, Integer.MAX_VALUE),
                number(values, Property.LOAD_THREADS, MAX_THREADS),
                new Proofs(values));
    }

    /**
     * How servers are reached; reads the token file.
     *
     * @throws dev.penstock.error.PenstockException of category USAGE or IO, without any secret
     */
    ClientSecurity security() throws SQLException {
        Optional<TlsFiles> tls =
                TlsFiles.of(
                        proofs.path(Property.TLS_CA),
                        proofs.path(Property.TLS_CERT),
                        proofs.path(Property.TLS_KEY));
        Path tokenFile = proofs.path(Property.TOKEN_FILE);
        String password = proofs.get(Property.PASSWORD);
        Optional<Secret> token = Optional.empty();
        if (tokenFile != null) {
            if (tokenFile.toString().equals("-")) {
                throw refused("the property tokenFile names a file");
            }
            token = Optional.of(PrivateFiles.token(tokenFile));
        } else if (tls.isPresent() && !password.isEmpty()) {
            token = Optional.of(Secret.of(password, "the property password"));
        }
        return new ClientSecurity(tls, token, truth(proofs.values(), Property.INSECURE));
    }

    private static String place(String url) {
        int question = url.indexOf('?');
        return url.substring(PREFIX.length(), question < 0 ? url.length() : question);
    }

    /** Whatever is said, known or not. */
    static TreeMap<String, String> values(String url, Properties properties) throws SQLException {
        TreeMap<String, String> values = new TreeMap<>();
        for (String name : properties.stringPropertyNames()) {
            values.put(name, properties.getProperty(name));
        }
        int question = url.indexOf('?');
        if (question >= 0 && question + 1 < url.length()) {
            for (String part : url.substring(question + 1).split("&", -1)) {
                int equals = part.indexOf('=');
                if (equals <= 0) {
                    throw refused(
                            "a property in "
                                    + url.substring(0, question)
                                    + "?... is not of the form name=value");
                }
                if (part.startsWith(Property.PASSWORD.word + "=")) {
                    throw refused(
                            "a password does not belong in a URL, which is shown and logged; give"
                                    + " it as a property, or name a tokenFile");
                }
                values.put(part.substring(0, equals), part.substring(equals + 1));
            }
        }
        return values;
    }

    private static boolean truth(Map<String, String> values, Property property)
            throws SQLException {
        String value = values.getOrDefault(property.word, property.absent);
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw refused(
                            "the property "
                                    + property.word
                                    + " is true or false, not '"
                                    + value
                                    + "'");
        };
    }

    private static int number(TreeMap<String, String> values, Property property, int most)
            throws SQLException {
        String value = values.getOrDefault(property.word, property.absent);
        try {
            int number = Integer.parseInt(value);
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Falls through to the one message below.
        }
        throw refused(
                "the property "
                        + property.word
                        + " is a number from 0 to "
                        + most
                        + ", not '"
                        + value
                        + "'");
    }

    /** The servers of the place, or null if it is a folder. */
    @Nullable String servers() {
        var servers = SERVERS.matcher(place);
        return servers.matches() ? servers.group(1) : null;
    }

    static SQLException refused(String message) {
        return new SQLException(message, STATE);
    }
}
