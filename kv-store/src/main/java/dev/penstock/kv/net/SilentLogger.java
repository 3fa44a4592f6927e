package dev.penstock.kv.net;

import io.netty.util.internal.logging.AbstractInternalLogger;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;

/**
 * Netty's logger, which says nothing: what matters is in our exceptions and log lines. A logger of
 * the JDK or of another library would say as little, once each process had opened every jar to look
 * for somebody who does the logging.
 */
final class SilentLogger extends AbstractInternalLogger {
    private static final long serialVersionUID = 1;

    private SilentLogger(String name) {
        super(name);
    }

    /** Makes such loggers for all classes of Netty that have none yet. */
    static void use() {
        InternalLoggerFactory.setDefaultFactory(new Factory());
    }

    private static final class Factory extends InternalLoggerFactory {
        @Override
        protected InternalLogger newInstance(String name) {
            return new SilentLogger(name);
        }
    }

    @Override
    public boolean isTraceEnabled() {
        return false;
    }

    @Override
    public void trace(String text) {}

    @Override
    public void trace(String format, Object value) {}

    @Override
    public void trace(String format, Object first, Object second) {}

    @Override
    public void trace(String format, Object... values) {}

    @Override
    public void trace(String text, Throwable cause) {}

    @Override
    public boolean isDebugEnabled() {
        return false;
    }

    @Override
    public void debug(String text) {}

    @Override
    public void debug(String format, Object value) {}

    @Override
    public void debug(String format, Object first, Object second) {}

    @Override
    public void debug(String format, Object... values) {}

    @Override
    public void debug(String text, Throwable cause) {}

    @Override
    public boolean isInfoEnabled() {
        return false;
    }

    @Override
    public void info(String text) {}

    @Override
    public void info(String format, Object value) {}

    @Override
    public void info(String format, Object first, Object second) {}

    @Override
    public void info(String format, Object... values) {}

    @Override
    public void info(String text, Throwable cause) {}

    @Override
    public boolean isWarnEnabled() {
        return false;
    }

    @Override
    public void warn(String text) {}

    @Override
    public void warn(String format, Object value) {}

    @Override
    public void warn(String format, Object first, Object second) {}

    @Override
    public void warn(String format, Object... values) {}

    @Override
    public void warn(String text, Throwable cause) {}

    @Override
    public boolean isErrorEnabled() {
        return false;
    }

    @Override
    public void error(String text) {}

    @Override
    public void error(String format, Object value) {}

    @Override
    public void error(String format, Object first, Object second) {}

    @Override
    public void error(String format, Object... values) {}

    @Override
    public void error(String text, Throwable cause) {}
}
