package dev.penstock.it.cluster;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Reads all rows by JDBC again and again while others load, kill and disconnect, and notes every
 * load that it ever saw in part, every load that went away again, and every failure that is none of
 * "cannot be reached".
 */
final class Witness implements AutoCloseable {
    private static final String QUERY =
            "SELECT load_no, COUNT(*) AS n, SUM(amount) AS total FROM events GROUP BY load_no";
    private static final String LOST_CONNECTION = "08";

    private final String url;
    private final Map<Integer, Events> known;
    private final List<String> faults = new ArrayList<>();
    private final CompletableFuture<Void> firstRead = new CompletableFuture<>();
    private final Thread thread;
    private Map<Integer, Long> lastSeen = Map.of();
    private volatile boolean stopped;
    private int reads;
    private int interruptions;

    /**
     * @param servers addresses, any of which will do
     * @param known all loads that there will be, by number
     */
    Witness(String servers, Map<Integer, Events> known) {
        this.url = url(servers);
        this.known = Map.copyOf(known);
        this.thread = Thread.ofPlatform().name("witness").daemon().start(this::watch);
    }

    /** Containers have addresses of their own, where plain text has to be asked for. */
    private static String url(String servers) {
        return "jdbc:penstock://" + servers + "/?insecure=true";
    }

    /** Returns when it has read once, or tells why it never will. */
    void awaitFirstRead() {
        firstRead.join();
    }

    private void watch() {
        while (!stopped) {
            try (Connection connection = DriverManager.getConnection(url)) {
                while (!stopped) {
                    look(read(connection));
                    reads++;
                    firstRead.complete(null);
                }
            } catch (SQLException e) {
                String state = e.getSQLState();
                if (state != null && state.startsWith(LOST_CONNECTION)) {
                    interruptions++;
                } else {
                    faults.add(state + ": " + e.getMessage());
                    firstRead.completeExceptionally(e);
                }
            } catch (RuntimeException | Error e) {
                faults.add(e.toString());
                firstRead.completeExceptionally(e);
                return;
            }
        }
    }

    private void look(Map<Integer, Long> seen) {
        lastSeen.forEach((load, rows) -> {
            if (!seen.containsKey(load)) {
                faults.add("load " + load + " went away");
            }
        });
        lastSeen = seen;
    }

    /** Rows of each load that is there at all; a load of which a part is missing is a fault. */
    private Map<Integer, Long> read(Connection connection) throws SQLException {
        Map<Integer, Long> seen = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(QUERY)) {
            while (rows.next()) {
                int load = rows.getInt("load_no");
                Events whole = known.get(load);
                long count = rows.getLong("n");
                long sum = rows.getLong("total");
                if (whole == null || whole.rows() != count || whole.sum() != sum) {
                    faults.add("load " + load + " seen with " + count + " rows, sum " + sum);
                }
                seen.put(load, count);
            }
        }
        return seen;
    }

    /** The loads that are there now, each whole. */
    static List<Integer> loadsIn(String server, Map<Integer, Events> known) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(server));
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(QUERY)) {
            List<Integer> loads = new ArrayList<>();
            while (rows.next()) {
                Events whole = known.get(rows.getInt("load_no"));
                if (whole == null
                        || whole.rows() != rows.getLong("n")
                        || whole.sum() != rows.getLong("total")) {
                    throw new AssertionError(
                            "load "
                                    + rows.getInt("load_no")
                                    + " is there with "
                                    + rows.getLong("n")
                                    + " rows");
                }
                loads.add(whole.load());
            }
            loads.sort(null);
            return loads;
        }
    }

    /** What was wrong, after the last read. */
    List<String> faults() throws InterruptedException {
        stopped = true;
        thread.join();
        return List.copyOf(faults);
    }

    /** Successful reads and lost connections, for the record. */
    String summary() {
        return reads + " reads, " + interruptions + " lost connections";
    }

    @Override
    public void close() {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
