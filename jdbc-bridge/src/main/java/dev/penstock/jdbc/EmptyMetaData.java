package dev.penstock.jdbc;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;

/**
 * Results about things that a store does not have: empty, with the columns that JDBC prescribes.
 */
abstract class EmptyMetaData extends SqlAnswers {
    @Override
    public ResultSet getProcedures(
            @Nullable String catalog,
            @Nullable String schemaPattern,
            @Nullable String procedureNamePattern) {
        return ResultShape.PROCEDURES.empty();
    }

    @Override
    public ResultSet getProcedureColumns(
            @Nullable String catalog,
            @Nullable String schemaPattern,
            @Nullable String procedureNamePattern,
            @Nullable String columnNamePattern) {
        return ResultShape.PROCEDURE_COLUMNS.empty();
    }

    @Override
    public ResultSet getSchemas() {
        return ResultShape.SCHEMAS.empty();
    }

    @Override
    public ResultSet getCatalogs() {
        return ResultShape.CATALOGS.empty();
    }

    @Override
    public ResultSet getColumnPrivileges(
            @Nullable String catalog,
            @Nullable String schema,
            @Nullable String table,
            @Nullable String columnNamePattern) {
        return ResultShape.COLUMN_PRIVILEGES.empty();
    }

    @Override
    public ResultSet getTablePrivileges(
            @Nullable String catalog,
            @Nullable String schemaPattern,
            @Nullable String tableNamePattern) {
        return ResultShape.TABLE_PRIVILEGES.empty();
    }

    @Override
    public ResultSet getBestRowIdentifier(
            @Nullable String catalog,
            @Nullable String schema,
            @Nullable String table,
            int scope,
            boolean nullable) {
        return ResultShape.ROW_COLUMNS.empty();
    }

    @Override
    public ResultSet getVersionColumns(
            @Nullable String catalog, @Nullable String schema, @Nullable String table) {
        return ResultShape.ROW_COLUMNS.empty();
    }

    @Override
    public ResultSet getImportedKeys(
            @Nullable String catalog, @Nullable String schema, @Nullable String table) {
        return ResultShape.FOREIGN_KEYS.empty();
    }

    @Override
    public ResultSet getExportedKeys(
            @Nullable String catalog, @Nullable String schema, @Nullable String table) {
        return ResultShape.FOREIGN_KEYS.empty();
    }

    @Override
    public ResultSet getCrossReference(
            @Nullable String parentCatalog,
            @Nullable String parentSchema,
            @Nullable String parentTable,
            @Nullable String foreignCatalog,
            @Nullable String foreignSchema,
            @Nullable String foreignTable) {
        return ResultShape.FOREIGN_KEYS.empty();
    }

    @Override
    public ResultSet getIndexInfo(
            @Nullable String catalog,
            @Nullable String schema,
            @Nullable String table,
            boolean unique,
            boolean approximate) {
        return ResultShape.INDEXES.empty();
    }

    @Override
    public ResultSet getUDTs(
            @Nullable String catalog,
            @Nullable String schemaPattern,
            @Nullable String typeNamePattern,
            int @Nullable [] types) {
        return ResultShape.USER_TYPES.empty();
    }

    @Override
    public ResultSet getSuperTypes(
            @Nullable String catalog,
            @Nullable String schemaPattern,
            @Nullable String typeNamePattern) {
        return ResultShape.SUPER_TYPES.empty();
    }

    @Override
    public ResultSet getSuperTables(
            @Nullable String catalog,
            @Nullable String schemaPattern,
            @Nullable String tableNamePattern) {
        return ResultShape.SUPER_TABLES.empty();
    }

    @Override
    public ResultSet getAttributes(
            @Nullable String catalog,
            @Nullable String schemaPattern,
            @Nullable String typeNamePattern,
            @Nullable String attributeNamePattern) {
        return ResultShape.ATTRIBUTES.empty();
    }

    @Override
    public ResultSet getSchemas(@Nullable String catalog, @Nullable String schemaPattern) {
        return ResultShape.SCHEMAS.empty();
    }

    @Override
    public ResultSet getClientInfoProperties() {
        return ResultShape.CLIENT_PROPERTIES.empty();
    }

    @Override
    public ResultSet getFunctions(
            @Nullable String catalog,
            @Nullable String schemaPattern,
            @Nullable String functionNamePattern) {
        return ResultShape.FUNCTIONS.empty();
    }

    @Override
    public ResultSet getFunctionColumns(
            @Nullable String catalog,
            @Nullable String schemaPattern,
            @Nullable String functionNamePattern,
            @Nullable String columnNamePattern) {
        return ResultShape.FUNCTION_COLUMNS.empty();
    }

    @Override
    public ResultSet getPseudoColumns(
            @Nullable String catalog,
            @Nullable String schemaPattern,
            @Nullable String tableNamePattern,
            @Nullable String columnNamePattern) {
        return ResultShape.PSEUDO_COLUMNS.empty();
    }
}
