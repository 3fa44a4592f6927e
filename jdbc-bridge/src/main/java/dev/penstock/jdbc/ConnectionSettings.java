package dev.penstock.jdbc;

import org.jspecify.annotations.Nullable;

import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
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
 */
record ConnectionSettings(
        String url, String place, boolean create, int queryTimeout, int loadThreads) {
    static final String PREFIX = "jdbc:penstock:";
    static final String STATE = "08001";

    private static final Pattern SERVERS = Pattern.compile("//([^/]+)/?");
    private static final int MAX_THREADS = 1024;

    /** The properties that there are. */
    enum Property {
        USER("user", "", "Accepted because tools send it; stores know no users."),
        PASSWORD("password", "", "Accepted because tools send it; stores know no users."),
        CREATE("create", "false", "Whether a folder without a store becomes one."),
        QUERY_TIMEOUT("queryTimeout", "0", "Seconds that a statement may take; 0 is no limit."),
        LOAD_THREADS("loadThreads", "0", "Threads of a load; 0 is one per processor.");

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
            DriverPropertyInfo info = new DriverPropertyInfo(word, value == null ? absent : value);
            info.description = description;
            info.required = false;
            if (this == CREATE) {
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
                truth(values),
                number(values, Property.QUERY_TIMEOUT, Integer.MAX_VALUE),
                number(values, Property.LOAD_THREADS, MAX_THREADS));
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
                    throw refused("'" + part + "' in " + url + " is not of the form name=value");
                }
                values.put(part.substring(0, equals), part.substring(equals + 1));
            }
        }
        return values;
    }

    private static boolean truth(TreeMap<String, String> values) throws SQLException {
        String value = values.getOrDefault(Property.CREATE.word, Property.CREATE.absent);
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw refused("the property create is true or false, not '" + value + "'");
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
