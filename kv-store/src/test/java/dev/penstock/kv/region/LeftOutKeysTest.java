package dev.penstock.kv.region;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeftOutKeysTest {
    private static LeftOutKeys.Found found(int count) {
        LeftOutKeys.Found found = new LeftOutKeys.Found();
        for (int i = 0; i < count; i++) {
            found.add(TestTable.key(3L * i));
        }
        return found;
    }

    @Test
    void everyKeyThatWasAddedIsHeldAndOthersAreNot() {
        LeftOutKeys.Found found = found(1000);
        assertThat(found.all()).isSameAs(found);
        for (int i = 0; i < 1000; i++) {
            assertThat(found.holds(TestTable.key(3L * i))).isTrue();
            assertThat(found.holds(TestTable.key(3L * i + 1))).isFalse();
        }
    }

    @Test
    void withoutAKeyThereIsNothingToKeep() {
        assertThat(found(0).all()).isEqualTo(LeftOutKeys.NONE);
    }

    @Test
    void beyondTheBoundItMayBeAnyKey() {
        int most = LeftOutKeys.Found.MAX_KEYS;
        assertThat(found(most).all()).isInstanceOf(LeftOutKeys.Found.class);
        assertThat(found(most + 1).all()).isEqualTo(LeftOutKeys.ANY);
    }
}
