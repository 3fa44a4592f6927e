package dev.penstock.bench.sql;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The rows of a result as text. */
record Rows(List<List<@Nullable String>> rows) {
    /** Sums and quotients of decimals are rounded elsewhere. */
    private static final BigDecimal TOLERANCE = new BigDecimal("0.000001");

    static Rows of(Connection connection, String sql) throws SQLException {
        List<List<@Nullable String>> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<@Nullable String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(result.getString(i));
                }
                rows.add(row);
            }
        }
        return new Rows(rows);
    }

    int count() {
        return rows.size();
    }

    /** The first difference in words; null if there is none. */
    @Nullable String differenceFrom(Rows expected) {
        for (int row = 0; row < Math.min(count(), expected.count()); row++) {
            List<@Nullable String> actual = rows.get(row);
            List<@Nullable String> wanted = expected.rows.get(row);
            for (int i = 0; i < Math.max(actual.size(), wanted.size()); i++) {
                if (actual.size() != wanted.size() || !isSame(actual.get(i), wanted.get(i))) {
                    return "no: row " + (row + 1) + " is " + actual + ", not " + wanted;
                }
            }
        }
        return count() == expected.count()
                ? null
                : "no: " + count() + " rows, not " + expected.count();
    }

    private static boolean isSame(@Nullable String value, @Nullable String wanted) {
        if (Objects.equals(value, wanted)) {
            return true;
        }
        if (value == null || wanted == null) {
            return false;
        }
        try {
            BigDecimal number = new BigDecimal(wanted);
            BigDecimal most = number.abs().max(BigDecimal.ONE).multiply(TOLERANCE);
            return new BigDecimal(value).subtract(number).abs().compareTo(most) <= 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
