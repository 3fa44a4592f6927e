package dev.penstock.bench.endtoend;

import dev.penstock.cli.generate.TpchTable;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.schema.TableSchema;

import java.nio.file.Path;

/**
 * What every contender loads: a TPC-H lineitem file.
 *
 * @param file in dbgen's format
 * @param schema the table
 * @param threads threads a contender may use
 */
record Workload(Path file, TableSchema schema, int threads) {
    static Workload lineitem(Path file, int threads) {
        return new Workload(file, Ddl.parseCreateTable(TpchTable.LINEITEM.ddl()), threads);
    }
}
