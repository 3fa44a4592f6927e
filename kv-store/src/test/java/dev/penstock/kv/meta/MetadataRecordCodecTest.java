package dev.penstock.kv.meta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.dialect.Dialect;
import dev.penstock.dict.TokenTable;
import dev.penstock.dict.TokenTables;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.Verification;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class MetadataRecordCodecTest {
    private static byte[] bytes(LoadRequest request) {
        ByteBuilder out = new ByteBuilder(64);
        MetadataRecordCodec.put(new MetadataRecord.LoadBegun("a", 1, 2, request), out);
        return out.toByteArray();
    }

    private static LoadRequest afterwards(LoadRequest request) {
        MetadataRecord back = MetadataRecordCodec.get(new ByteParser(bytes(request), "a test"));
        return ((MetadataRecord.LoadBegun) back).request();
    }

    private static LoadRequest request(TokenTables tokens, String plan) {
        return new LoadRequest(
                "items",
                "label",
                DuplicatePolicy.REPLACE,
                Dialect.csv(),
                List.of(0, 1, 2),
                List.of("test.csv"),
                false,
                false,
                Verification.CHECKSUM,
                tokens,
                plan);
    }

    private static TokenTables tokens() {
        List<byte[]> words = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            words.add(new byte[] {'w', 'o', 'r', 'd', (byte) i});
        }
        return new TokenTables(Map.of(1, new TokenTable(words)));
    }

    @Test
    void aLoadThatCanBeResumedKeepsItsTokensAndItsPlan() {
        LoadRequest request = request(tokens(), "the plan");
        assertThat(afterwards(request)).isEqualTo(request);
    }

    @Test
    void tokensOfALoadThatEndsWithItsProcessAreNotWritten() {
        assertThat(bytes(request(tokens(), ""))).isEqualTo(bytes(request(TokenTables.NONE, "")));
        assertThat(afterwards(request(tokens(), ""))).isEqualTo(request(TokenTables.NONE, ""));
    }
}
