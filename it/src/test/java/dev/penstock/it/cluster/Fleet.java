package dev.penstock.it.cluster;

import java.io.IOException;
import java.util.List;

/**
 * Three region servers and the loads into them; what they run in is the implementation's. Server 0
 * leads. Every method returns when what it does has happened.
 */
interface Fleet extends AutoCloseable {
    int SERVERS = 3;

    /** Where this test and the loads reach a server, {@code HOST:PORT}; never changes. */
    String address(int server);

    /** Ends a server as a power failure would. */
    void kill(int server) throws Exception;

    /** Ends a server politely. */
    void stop(int server) throws Exception;

    /** Starts a server again on the data that it had; it serves when this returns. */
    void restart(int server) throws Exception;

    /** From now on nothing that is sent to or from this server arrives. */
    void disconnect(int server) throws Exception;

    void reconnect(int server) throws Exception;

    /** What a server has said so far. */
    String said(int server) throws Exception;

    /** Starts {@code penstock load -} with more arguments; its input comes from this test. */
    LoadRun load(List<String> arguments) throws IOException;

    @Override
    void close();
}
