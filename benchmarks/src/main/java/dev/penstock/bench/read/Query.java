package dev.penstock.bench.read;

import java.util.List;

/**
 * One aggregate query on lineitem, in both engines' words.
 *
 * @param name for reports
 * @param select Penstock's select list, which is SQL too
 * @param by group-by columns, maybe none
 * @param where condition, empty for all rows
 */
record Query(String name, String select, List<String> by, String where) {
    static final List<Query> ALL =
            List.of(
                    new Query("Q1 sum", "sum(l_extendedprice)", List.of(), ""),
                    new Query(
                            "Q2 count of a year",
                            "count(*)",
                            List.of(),
                            "l_shipdate BETWEEN DATE '1994-01-01' AND DATE '1994-12-31'"),
                    new Query(
                            "TPC-H Q1 groups",
                            "sum(l_quantity), sum(l_extendedprice), sum(l_discount),"
                                    + " sum(l_tax), count(*)",
                            List.of("l_returnflag", "l_linestatus"),
                            "l_shipdate <= DATE '1998-09-02'"),
                    new Query(
                            "TPC-H Q6 conditions",
                            "sum(l_extendedprice)",
                            List.of(),
                            "l_shipdate >= DATE '1994-01-01' AND l_shipdate < DATE '1995-01-01'"
                                    + " AND l_discount BETWEEN 0.05 AND 0.07"
                                    + " AND l_quantity < 24"),
                    new Query(
                            "six sums and extremes",
                            "sum(l_orderkey), sum(l_partkey), min(l_suppkey), max(l_receiptdate),"
                                    + " min(l_shipmode), count(l_comment)",
                            List.of(),
                            "l_shipmode IN ('AIR', 'RAIL')"),
                    new Query(
                            "groups of a date",
                            "count(*), max(l_extendedprice)",
                            List.of("l_shipdate"),
                            ""));

    /** The whole statement; groups come in the order of their values. */
    String sql() {
        String groups = String.join(", ", by);
        return "SELECT "
                + (by.isEmpty() ? "" : groups + ", ")
                + select
                + " FROM lineitem"
                + (where.isEmpty() ? "" : " WHERE " + where)
                + (by.isEmpty() ? "" : " GROUP BY " + groups + " ORDER BY " + groups);
    }
}
