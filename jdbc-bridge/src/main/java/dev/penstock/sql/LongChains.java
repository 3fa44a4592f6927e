package dev.penstock.sql;

import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Makes long chains of OR and AND trees of few levels: each level costs Calcite some calls within
 * calls, and 600 of them more than a thread's stack.
 */
final class LongChains extends SqlShuttle {
    /** Shorter ones stay as they were written. */
    private static final int LEAST_TERMS = 64;

    private LongChains() {}

    static SqlNode in(SqlNode statement) {
        return Objects.requireNonNull(statement.accept(new LongChains()));
    }

    @Override
    public @Nullable SqlNode visit(SqlCall call) {
        if (call.getKind() != SqlKind.OR && call.getKind() != SqlKind.AND) {
            return super.visit(call);
        }
        List<SqlNode> terms = terms(call);
        if (terms.size() < LEAST_TERMS) {
            return super.visit(call);
        }
        terms.replaceAll(term -> Objects.requireNonNull(term.accept(this)));
        return tree(call, terms);
    }

    /** From left to right; the parser has the chain grow to the right. */
    private static List<SqlNode> terms(SqlCall chain) {
        List<SqlNode> terms = new ArrayList<>();
        SqlNode rest = chain;
        while (rest instanceof SqlBasicCall call && call.getKind() == chain.getKind()) {
            terms.add(call.operand(1));
            rest = call.operand(0);
        }
        terms.add(rest);
        return terms.reversed();
    }

    private static SqlNode tree(SqlCall chain, List<SqlNode> terms) {
        if (terms.size() == 1) {
            return terms.getFirst();
        }
        int middle = terms.size() / 2;
        return chain.getOperator()
                .createCall(
                        chain.getParserPosition(),
                        tree(chain, terms.subList(0, middle)),
                        tree(chain, terms.subList(middle, terms.size())));
    }
}
