package dev.penstock.loader.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.reject.DuplicateKey;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectReason;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.Test;

import java.util.List;

final class RefusedKeysTest {
    private static Reject key(int number) {
        return new DuplicateKey(new byte[] {(byte) number}, "id=" + number, false).toReject();
    }

    @Test
    void keys_are_told_from_records() {
        RefusedKeys keys = new RefusedKeys(1 << 20);
        Reject record =
                new Reject(RejectReason.DUPLICATE_KEY, 0, 7, 1, "id", "1", "", new byte[] {1});
        keys.add(List.of(key(1), record, key(2)));
        keys.add(List.of(key(3)));
        assertThat(keys.keys())
                .extracting(DuplicateKey::text)
                .containsExactly("id=1", "id=2", "id=3");
        assertThat(keys.isComplete()).isTrue();
    }

    @Test
    void a_region_that_names_more_is_heard() {
        RefusedKeys keys = new RefusedKeys(1 << 20);
        keys.add(List.of(key(1), DuplicateKey.more()));
        assertThat(keys.isComplete()).isFalse();
        PenstockException failure = keys.tooMany(DuplicatePolicy.REJECT);
        assertThat(failure.category()).isEqualTo(ErrorCategory.DATA);
        assertThat(failure)
                .hasMessageStartingWith("A region has more than")
                .hasMessageContaining("--regions");
    }

    @Test
    void what_has_no_room_is_left_out_for_good() {
        RefusedKeys keys = new RefusedKeys(2_000);
        keys.add(List.of(key(1), key(2), key(3)));
        assertThat(keys.isComplete()).isTrue();
        assertThat(keys.grow(2_000)).isFalse();
        assertThat(keys.grow(1)).isFalse();
        keys.add(List.of(key(4)));
        assertThat(keys.keys()).hasSize(3);
        assertThat(keys.isComplete()).isFalse();
        assertThat(keys.tooMany(DuplicatePolicy.REJECT))
                .hasMessageContaining("than the loader can hold")
                .hasMessageContaining("more heap");
    }

    @Test
    void what_is_found_can_give_room_back() {
        RefusedKeys keys = new RefusedKeys(1_000);
        assertThat(keys.grow(900)).isTrue();
        assertThat(keys.grow(-500)).isTrue();
        assertThat(keys.grow(600)).isTrue();
        assertThat(keys.grow(1)).isFalse();
    }
}
