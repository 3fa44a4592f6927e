package dev.penstock.kv.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelInboundHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOutboundHandler;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.LengthFieldPrepender;
import io.netty.handler.logging.LoggingHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateHandler;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;

/** The answers are those of the annotations. */
final class HandlerAnnotationsTest {
    @ParameterizedTest
    @ValueSource(
            classes = {
                ChannelHandlerAdapter.class,
                ChannelInboundHandlerAdapter.class,
                ChannelOutboundHandlerAdapter.class,
                ChannelDuplexHandler.class,
                ChannelInitializer.class,
                SimpleChannelInboundHandler.class,
                LengthFieldBasedFrameDecoder.class,
                LengthFieldPrepender.class,
                SslHandler.class,
                IdleStateHandler.class,
                FrameReceiver.class,
                FrameWriter.class,
                Initializer.class,
                Further.class,
                Both.class,
                LoggingHandler.class
            })
    void sameAsAnnotations(Class<?> handler) throws Exception {
        assertThat(HandlerAnnotations.has(handler, ChannelHandler.Sharable.class))
                .isEqualTo(handler.isAnnotationPresent(ChannelHandler.Sharable.class));
        Class<? extends Annotation> skip =
                Class.forName("io.netty.channel.ChannelHandlerMask$Skip")
                        .asSubclass(Annotation.class);
        int asked = 0;
        for (Class<?> events : List.of(ChannelInboundHandler.class, ChannelOutboundHandler.class)) {
            for (Method event : events.isAssignableFrom(handler) ? events.getMethods() : NONE) {
                if (event.getName().matches("handler(Added|Removed)")) {
                    continue;
                }
                Method own = handler.getMethod(event.getName(), event.getParameterTypes());
                assertThat(HandlerAnnotations.has(own, skip))
                        .as(own.toString())
                        .isEqualTo(own.isAnnotationPresent(skip));
                asked++;
            }
        }
        assertThat(asked > 0).isNotEqualTo(handler == ChannelHandlerAdapter.class);
    }

    private static final Method[] NONE = {};

    private abstract static class Initializer
            extends ChannelInitializer<io.netty.channel.Channel> {}

    private abstract static class Further extends Initializer {}

    private static final class Both extends ChannelDuplexHandler {}
}
