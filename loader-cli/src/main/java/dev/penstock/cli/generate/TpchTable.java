package dev.penstock.cli.generate;

import io.trino.tpch.CustomerGenerator;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.NationGenerator;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.PartGenerator;
import io.trino.tpch.PartSupplierGenerator;
import io.trino.tpch.RegionGenerator;
import io.trino.tpch.SupplierGenerator;
import io.trino.tpch.TpchEntity;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The eight tables of TPC-H. */
public enum TpchTable {
    LINEITEM(760_000_000),
    ORDERS(172_000_000),
    PARTSUPP(119_000_000),
    PART(24_000_000),
    CUSTOMER(24_000_000),
    SUPPLIER(1_400_000),
    NATION(0),
    REGION(0);

    /** Text that one part of a table should make, so that parts are quick to write and to keep. */
    private static final long BYTES_PER_PART = 4 << 20;

    private final long bytesPerScale;

    TpchTable(long bytesPerScale) {
        this.bytesPerScale = bytesPerScale;
    }

    /** The table's name in SQL. */
    public String tableName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Bytes of text at a scale, within a few percent; 0 for the two tables of fixed size. */
    public long estimatedBytes(double scale) {
        return (long) (bytesPerScale * scale);
    }

    /** Its {@code CREATE TABLE} statement. */
    public String ddl() {
        String resource = tableName() + ".sql";
        try (InputStream in = TpchTable.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("resource " + resource + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int partCount(double scale) {
        return Math.clamp(estimatedBytes(scale) / BYTES_PER_PART, 1, 1_000_000);
    }

    /** The rows of one part of the table; parts count from 1. */
    Iterable<? extends TpchEntity> rows(double scale, int part, int parts) {
        return switch (this) {
            case LINEITEM -> new LineItemGenerator(scale, part, parts);
            case ORDERS -> new OrderGenerator(scale, part, parts);
            case PARTSUPP -> new PartSupplierGenerator(scale, part, parts);
            case PART -> new PartGenerator(scale, part, parts);
            case CUSTOMER -> new CustomerGenerator(scale, part, parts);
            case SUPPLIER -> new SupplierGenerator(scale, part, parts);
            case NATION -> new NationGenerator();
            case REGION -> new RegionGenerator();
        };
    }
}
