package dev.penstock.kv.net;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOutboundHandlerAdapter;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;

/**
 * Answers in the place of {@link AnnotatedElement}, which the build makes Netty ask whether a
 * handler does anything of its own about an event, and whether several connections may share it
 * ({@code tools/HandlerQuestions.java}). To read annotations Java makes a class for each type of
 * them, which takes every process that talks to another a hundredth of a second.
 */
public final class HandlerAnnotations {
    private HandlerAnnotations() {}

    /** As {@link AnnotatedElement#isAnnotationPresent}, of Netty's annotations of handlers. */
    public static boolean has(AnnotatedElement element, Class<? extends Annotation> type) {
        return switch (element) {
            case Method method -> isOfAdapter(method.getDeclaringClass());
            case Class<?> handler -> isSharable(handler, type);
            default -> element.isAnnotationPresent(type);
        };
    }

    /** Adapters only hand on what they are told; no class of another package can say so. */
    private static boolean isOfAdapter(Class<?> owner) {
        return owner == ChannelInboundHandlerAdapter.class
                || owner == ChannelOutboundHandlerAdapter.class
                || owner == ChannelDuplexHandler.class
                || owner == ChannelHandlerAdapter.class;
    }

    /** The annotation is inherited; no handler of this package has one of its own. */
    private static boolean isSharable(Class<?> handler, Class<? extends Annotation> type) {
        Class<?> above = handler;
        while (above.getPackage() == HandlerAnnotations.class.getPackage()) {
            above = above.getSuperclass();
        }
        return above == ChannelInitializer.class
                || !isOfAdapter(above) && handler.isAnnotationPresent(type);
    }
}
