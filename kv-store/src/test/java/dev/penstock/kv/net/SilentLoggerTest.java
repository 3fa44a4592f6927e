package dev.penstock.kv.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.internal.logging.InternalLogLevel;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;

import org.junit.jupiter.api.Test;

final class SilentLoggerTest {
    @Test
    void netty_says_nothing_once_there_is_a_transport() {
        try (Transport _ = Transport.open("silent")) {
            InternalLogger logger = InternalLoggerFactory.getInstance("some.class.of.Netty");
            assertThat(logger).isInstanceOf(SilentLogger.class);
            assertThat(logger.name()).isEqualTo("some.class.of.Netty");
            for (InternalLogLevel level : InternalLogLevel.values()) {
                assertThat(logger.isEnabled(level)).isFalse();
                logger.log(level, "not said", new IllegalStateException("neither is this"));
            }
        }
    }
}
