package dev.penstock.sql;

import org.apache.calcite.jdbc.JavaTypeFactoryImpl;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeName;

import java.lang.reflect.Type;

/** Calcite's types, with a class for UUIDs: to Calcite they are objects of no known class. */
final class StoreTypeFactory extends JavaTypeFactoryImpl {
    StoreTypeFactory() {
        super(StoreTypeSystem.INSTANCE);
    }

    @Override
    public Type getJavaClass(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.UUID
                ? OrderedUuid.class
                : super.getJavaClass(type);
    }
}
