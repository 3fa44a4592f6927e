package dev.penstock.kv.wire;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.kv.fuzz.Fuzzer;
import dev.penstock.kv.region.TestTable;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Messages of the network. */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class WireFuzzTest {
    private static final int SEEDS = 4;

    @Test
    void requests() {
        List<byte[]> good = new ArrayList<>();
        List<MessageType> types = new ArrayList<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            for (Request request : new Messages(seed).requests()) {
                ByteBuilder out = new ByteBuilder(64);
                RequestCodec.put(request, out);
                good.add(out.toByteArray());
                types.add(RequestCodec.typeOf(request));
            }
        }
        Fuzzer.run(
                "requests",
                good,
                (message, bytes) ->
                        RequestCodec.get(types.get(message), new ByteParser(bytes, "a test")));
    }

    @Test
    void replies() {
        List<byte[]> good = new ArrayList<>();
        List<MessageType> types = new ArrayList<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            for (Reply reply : new Messages(seed).replies()) {
                ByteBuilder out = new ByteBuilder(64);
                ReplyCodec.put(reply, out);
                good.add(out.toByteArray());
                types.add(ReplyCodec.typeOf(reply));
            }
        }
        Fuzzer.run(
                "replies",
                good,
                (message, bytes) ->
                        ReplyCodec.get(types.get(message), new ByteParser(bytes, "a test")));
    }

    @Test
    void batches() {
        List<byte[]> good = new ArrayList<>();
        for (int rows : new int[] {0, 1, 7, 64, 65, 300}) {
            ByteBuilder out = new ByteBuilder(64);
            BatchCodec.put(TestTable.batch(TestTable.items(0, rows, rows)), out);
            good.add(out.toByteArray());
        }
        Fuzzer.run(
                "batches",
                good,
                (message, bytes) -> readAll(BatchCodec.get(new ByteParser(bytes, "a test"))));
    }

    private static void readAll(ColumnBatch batch) {
        for (int column = 0; column < batch.columnCount(); column++) {
            if (batch.column(column) instanceof BytesColumn bytes) {
                for (int row = 0; row < batch.rowCount(); row++) {
                    bytes.get(row);
                }
            }
        }
    }

    @Test
    void handshakes() {
        ByteBuilder client = new ByteBuilder(64);
        Handshake.put(new Handshake.ClientHello("a cluster", "a token"), client);
        ByteBuilder server = new ByteBuilder(64);
        Handshake.put(
                new Handshake.ServerHello(
                        "a cluster", "a server", "host:1", 9, "/127.0.0.1:1", true, 7, "/tmp/a/1"),
                server);
        Fuzzer.run(
                "handshakes",
                List.of(client.toByteArray(), server.toByteArray()),
                (message, bytes) -> {
                    ByteParser in = new ByteParser(bytes, "a test");
                    if (message == 0) {
                        Handshake.getClient(in);
                    } else {
                        Handshake.getServer(in);
                    }
                });
    }
}
