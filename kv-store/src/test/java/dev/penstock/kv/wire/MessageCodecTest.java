package dev.penstock.kv.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.StepTimes;
import dev.penstock.target.ColumnOutcome;
import dev.penstock.target.RegionReceipt;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** The binary form of a decoded message is the form it was decoded from, whatever the message. */
class MessageCodecTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void everyRequestSurvivesTheWire(long seed) {
        for (Request request : new Messages(seed).requests()) {
            byte[] bytes = bytes(request);
            Request back =
                    RequestCodec.get(RequestCodec.typeOf(request), new ByteParser(bytes, "a test"));
            assertThat(back).hasSameClassAs(request);
            assertThat(bytes(back)).as("%s", request).isEqualTo(bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void everyReplySurvivesTheWire(long seed) {
        for (Reply reply : new Messages(seed).replies()) {
            byte[] bytes = bytes(reply);
            Reply back = ReplyCodec.get(ReplyCodec.typeOf(reply), new ByteParser(bytes, "a test"));
            assertThat(back).hasSameClassAs(reply);
            assertThat(bytes(back)).as("%s", reply).isEqualTo(bytes);
        }
    }

    @Test
    void recordsComeBackEqual() {
        Request.Join join =
                new Request.Join(new dev.penstock.kv.api.ServerDescriptor("id", "host:1"));
        assertThat(RequestCodec.get(MessageType.JOIN, new ByteParser(bytes(join), "a test")))
                .isEqualTo(join);
    }

    @Test
    void receiptsOfAllRegionsShareTheNamesOfTheirColumns() {
        ColumnOutcome first = outcomeOf(1);
        ColumnOutcome second = outcomeOf(2);
        assertThat(second).isEqualTo(first).isNotSameAs(first);
        assertThat(second.column()).isSameAs(first.column());
        assertThat(second.encoding()).isSameAs(first.encoding());
    }

    private static ColumnOutcome outcomeOf(long regionId) {
        RegionReceipt receipt =
                RegionReceipt.withoutSums(
                        regionId,
                        "here",
                        1,
                        0,
                        10,
                        List.of(new ColumnOutcome("amount_of_the_order", "packed", -1, 80)),
                        List.of(),
                        new StepTimes());
        byte[] bytes = bytes(new Reply.Receipts(List.of(receipt)));
        Reply back = ReplyCodec.get(MessageType.RECEIPTS, new ByteParser(bytes, "a test"));
        return ((Reply.Receipts) back).receipts().getFirst().columns().getFirst();
    }

    @Test
    void regionsOfATableBringItsSchemaOnce() {
        List<RegionDescriptor> regions = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            regions.add(new RegionDescriptor(i, i % 2, wide("t" + i % 2), KeyRange.ALL));
        }
        byte[] bytes = bytes(new Request.CreateRegions(regions));
        assertThat(bytes.length).isLessThan(3 * bytes(new Request.CreateTable(wide("t0"))).length);
        Request.CreateRegions back =
                (Request.CreateRegions)
                        RequestCodec.get(
                                MessageType.CREATE_REGIONS, new ByteParser(bytes, "a test"));
        List<RegionDescriptor> decoded = back.regions();
        assertThat(decoded).hasSameSizeAs(regions);
        for (int i = 0; i < 100; i++) {
            assertThat(decoded.get(i).regionId()).isEqualTo(i);
            assertThat(decoded.get(i).schema()).isEqualTo(regions.get(i).schema());
            assertThat(decoded.get(i).schema()).isSameAs(decoded.get(i % 2).schema());
        }
    }

    private static TableSchema wide(String name) {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            columns.add(new Column("a_column_" + i, new ColumnType.BigIntType(), true));
        }
        return TableSchema.declare(name, columns, List.of());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1, Integer.MAX_VALUE})
    void aRegionOfASchemaThatIsNotThereIsRefused(int place) {
        RegionDescriptor region = new RegionDescriptor(1, 2, wide("t"), KeyRange.ALL);
        byte[] bytes = bytes(new Request.CreateRegions(List.of(region)));
        ByteAccess.putInt(bytes, bytes.length - 12, place);
        assertThatThrownBy(() ->
                        RequestCodec.get(
                                MessageType.CREATE_REGIONS, new ByteParser(bytes, "a test")))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("a region names schema " + place + " of 1");
    }

    @Test
    void theTestMessagesCoverEveryKind() {
        Messages messages = new Messages(1);
        assertThat(messages.requests().stream().map(Request::getClass).distinct())
                .hasSameSizeAs(Request.class.getPermittedSubclasses());
        assertThat(messages.replies().stream().map(Reply::getClass).distinct())
                .hasSameSizeAs(Reply.class.getPermittedSubclasses());
        Set<MessageType> types = new HashSet<>(List.of(MessageType.HELLO));
        messages.requests().forEach(request -> types.add(RequestCodec.typeOf(request)));
        messages.replies().forEach(reply -> types.add(ReplyCodec.typeOf(reply)));
        assertThat(types).containsExactlyInAnyOrder(MessageType.values());
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23})
    void truncatedMessagesAreRefusedAtEveryLength(long seed) {
        for (Request request : new Messages(seed).requests()) {
            byte[] bytes = bytes(request);
            int step = Math.max(1, bytes.length / 200);
            for (int length = 0; length < bytes.length; length += step) {
                byte[] cut = Arrays.copyOf(bytes, length);
                assertThatThrownBy(() ->
                                RequestCodec.get(
                                        RequestCodec.typeOf(request),
                                        new ByteParser(cut, "a test")))
                        .isInstanceOf(PenstockException.class);
            }
        }
    }

    @Test
    void trailingBytesAreRefused() {
        for (Request request : new Messages(31).requests()) {
            byte[] bytes = bytes(request);
            byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
            assertThatThrownBy(() ->
                            RequestCodec.get(
                                    RequestCodec.typeOf(request), new ByteParser(longer, "a test")))
                    .isInstanceOf(PenstockException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {41, 42, 43, 44})
    void damagedMessagesFailCleanlyOrParse(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 40; round++) {
            Messages messages = new Messages(random.nextLong());
            for (Request request : messages.requests()) {
                byte[] bytes = damage(bytes(request), random);
                try {
                    RequestCodec.get(RequestCodec.typeOf(request), new ByteParser(bytes, "a test"));
                } catch (PenstockException e) {
                    assertThat(e.getMessage()).isNotBlank();
                }
            }
            for (Reply reply : messages.replies()) {
                byte[] bytes = damage(bytes(reply), random);
                try {
                    ReplyCodec.get(ReplyCodec.typeOf(reply), new ByteParser(bytes, "a test"));
                } catch (PenstockException e) {
                    assertThat(e.getMessage()).isNotBlank();
                }
            }
        }
    }

    @Test
    void deeplyNestedConditionsAreRefused() {
        ByteBuilder out = new ByteBuilder(64);
        out.putLong(1).putLong(1).putInt(0).putInt(0);
        for (int i = 0; i < 100_000; i++) {
            out.putByte(1).putInt(1);
        }
        assertThatThrownBy(() ->
                        RequestCodec.get(
                                MessageType.COUNT, new ByteParser(out.toByteArray(), "a test")))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("nested");
    }

    private static byte[] damage(byte[] bytes, Random random) {
        for (int i = 0; i < 3 && bytes.length > 0; i++) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }

    private static byte[] bytes(Request request) {
        ByteBuilder out = new ByteBuilder(64);
        RequestCodec.put(request, out);
        return out.toByteArray();
    }

    private static byte[] bytes(Reply reply) {
        ByteBuilder out = new ByteBuilder(64);
        ReplyCodec.put(reply, out);
        return out.toByteArray();
    }
}
