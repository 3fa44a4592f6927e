package dev.penstock.sql;

import org.apache.calcite.avatica.AvaticaStatement;

import java.lang.reflect.Field;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether a statement of Calcite's was cancelled. It never takes that back itself, so that every
 * later execution of the statement would end at once; each one has to begin with {@link #clear}.
 */
public final class CancelFlag {
    private static final Field FLAG = field();

    private final AtomicBoolean flag;

    private CancelFlag(AtomicBoolean flag) {
        this.flag = flag;
    }

    private static Field field() {
        try {
            Field field = AvaticaStatement.class.getDeclaredField("cancelFlag");
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("another version of Avatica is expected", e);
        }
    }

    /** Of a statement of Calcite's. */
    public static CancelFlag of(Statement statement) {
        try {
            return new CancelFlag(
                    (AtomicBoolean) FLAG.get(statement.unwrap(AvaticaStatement.class)));
        } catch (IllegalAccessException | SQLException e) {
            throw new IllegalStateException("a statement of Calcite's is expected", e);
        }
    }

    /**
     * Cancels what runs. By any thread: unlike {@code Statement.cancel} it does not wait for the
     * statement's monitor, which a prepared statement keeps while it changes rows.
     */
    public void set() {
        flag.set(true);
    }

    /** The statement begins to run. */
    public void clear() {
        flag.set(false);
    }
}
