package dev.penstock.sql;

import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableLimitSortRule;
import org.apache.calcite.adapter.enumerable.EnumerableRel.Prefer;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.avatica.Meta.CursorFactory;
import org.apache.calcite.config.CalciteConnectionConfig;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCostFactory;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.prepare.CalcitePrepareImpl;
import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.runtime.Bindable;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.tools.Program;
import org.apache.calcite.tools.RelRunner;
import org.jspecify.annotations.Nullable;

import java.lang.reflect.Type;
import java.util.List;
import java.util.function.UnaryOperator;

/** Prepares statements with a planner that knows what stores can do. */
final class StorePrepare extends CalcitePrepareImpl {
    /**
     * Of rows that have to be sorted it keeps as many as are asked for, not all; in 32 bits. Where
     * a parameter says how many it may be negative, which would let it keep all.
     */
    private static final RelOptRule LIMITED_SORT =
            EnumerableLimitSortRule.Config.DEFAULT
                    .withOperandSupplier(sorts ->
                            sorts.operand(LogicalSort.class)
                                    .predicate(sort -> isSmall(sort.fetch) && isSmall(sort.offset))
                                    .anyInputs())
                    .as(EnumerableLimitSortRule.Config.class)
                    .toRule();

    private final JavaTypeFactory types = new StoreTypeFactory();

    @Override
    public <T> CalciteSignature<T> prepareSql(
            Context context, Query<T> query, Type elementType, long maxRowCount) {
        return super.prepareSql(new TypedContext(context, types), query, elementType, maxRowCount);
    }

    /** Two of which are an int together. */
    private static boolean isSmall(@Nullable RexNode number) {
        return number == null
                || number instanceof RexLiteral
                        && Parameters.UNKNOWN.count(number) <= Integer.MAX_VALUE / 2;
    }

    @Override
    protected RelOptPlanner createPlanner(
            Context context,
            org.apache.calcite.plan.@Nullable Context externalContext,
            @Nullable RelOptCostFactory costFactory) {
        RelOptPlanner planner = super.createPlanner(context, externalContext, costFactory);
        PushDown.RULES.forEach(planner::addRule);
        planner.addRule(StoreRead.RULE);
        planner.addRule(StoreModify.RULE);
        planner.addRule(ListedRows.RULE);
        planner.removeRule(ExactSums.REPLACED);
        planner.addRule(ExactSums.RULE);
        planner.addRule(LIMITED_SORT);
        planner.setExecutor(StorePrepare::leave);
        return planner;
    }

    /**
     * What computes constants until a plan is there: it is asked for each literal of each row that
     * a statement lists, and each would be compiled by itself. {@link JoinOrder#program} has those
     * computed that are left.
     */
    private static void leave(RexBuilder rex, List<RexNode> constants, List<RexNode> reduced) {
        reduced.addAll(constants);
    }

    @Override
    protected CalcitePreparingStmt getPreparingStmt(
            Context context,
            Type elementType,
            CalciteCatalogReader catalogReader,
            RelOptPlanner planner) {
        JavaTypeFactory types = context.getTypeFactory();
        return new Preparing(
                this,
                context,
                catalogReader,
                elementType == Object[].class ? Prefer.ARRAY : Prefer.CUSTOM,
                createCluster(planner, new RexBuilder(types)));
    }

    /** Preparation of one statement; its plan is watched while it runs. */
    private static final class Preparing extends CalcitePreparingStmt {
        private int joinedValues = SqlToRelConverter.DEFAULT_IN_SUB_QUERY_THRESHOLD;

        Preparing(
                StorePrepare prepare,
                Context context,
                CalciteCatalogReader catalogReader,
                Prefer prefer,
                RelOptCluster cluster) {
            super(
                    prepare,
                    context,
                    catalogReader,
                    context.getTypeFactory(),
                    context.getRootSchema(),
                    prefer,
                    cluster,
                    EnumerableConvention.INSTANCE,
                    prepare.createConvertletTable());
        }

        @Override
        protected SqlValidator createSqlValidator(
                CatalogReader catalogReader, UnaryOperator<SqlValidator.Config> change) {
            return super.createSqlValidator(
                    catalogReader,
                    config -> change.apply(config).withTypeCoercionFactory(UuidCoercion::new));
        }

        @Override
        public PreparedResult prepareSql(
                SqlNode query,
                SqlNode original,
                Class<?> contextClass,
                SqlValidator validator,
                boolean needsValidation) {
            joinedValues = InLists.joinedValues(original);
            MixedColumns.cast(query, catalogReader);
            try {
                return super.prepareSql(query, original, contextClass, validator, needsValidation);
            } catch (IndexOutOfBoundsException e) {
                throw InsertWidth.told(e, query, validator, catalogReader);
            }
        }

        @Override
        protected SqlToRelConverter getSqlToRelConverter(
                SqlValidator validator,
                CatalogReader catalogReader,
                SqlToRelConverter.Config config) {
            return super.getSqlToRelConverter(
                    validator, catalogReader, config.withInSubQueryThreshold(joinedValues));
        }

        /** The first that is done to a plan, when the statement was made one. */
        @Override
        public RelNode flattenTypes(RelNode plan, boolean restructure) {
            return super.flattenTypes(AlikeRows.in(plan), restructure);
        }

        @Override
        protected Program getProgram() {
            return JoinOrder.program();
        }

        @Override
        protected PreparedResult implement(RelRoot root) {
            RelRoot watched =
                    root.withRel(
                            WatchedInputs.in(
                                    LimitedRows.in(ListedRows.in(NumberRules.in(root.rel)))));
            PreparedResult plan = super.implement(watched);
            return plan instanceof PreparedResultImpl runnable
                    ? new OneEpochPlan(runnable, watched)
                    : plan;
        }
    }

    /** What a connection says of itself, but for the types. */
    private record TypedContext(Context connection, JavaTypeFactory types) implements Context {
        @Override
        public JavaTypeFactory getTypeFactory() {
            return types;
        }

        @Override
        public CalciteSchema getRootSchema() {
            return connection.getRootSchema();
        }

        @Override
        public CalciteSchema getMutableRootSchema() {
            return connection.getMutableRootSchema();
        }

        @Override
        public List<String> getDefaultSchemaPath() {
            return connection.getDefaultSchemaPath();
        }

        @Override
        public CalciteConnectionConfig config() {
            return connection.config();
        }

        @Override
        public SparkHandler spark() {
            return connection.spark();
        }

        @Override
        public DataContext getDataContext() {
            return connection.getDataContext();
        }

        @Override
        public @Nullable List<String> getObjectPath() {
            return connection.getObjectPath();
        }

        @Override
        public RelRunner getRelRunner() {
            return connection.getRelRunner();
        }
    }

    /** A plan each execution of which is a {@link StatementRun}. */
    private static final class OneEpochPlan extends Prepare.PreparedResultImpl {
        private final Prepare.PreparedResultImpl plan;

        OneEpochPlan(Prepare.PreparedResultImpl plan, RelRoot root) {
            super(
                    plan.getPhysicalRowType(),
                    plan.getParameterRowType(),
                    plan.getFieldOrigins(),
                    root.collation.getFieldCollations().isEmpty()
                            ? List.of()
                            : List.of(root.collation),
                    plan.getRootRel(),
                    plan.getTableModOp(),
                    plan.isDml());
            this.plan = plan;
        }

        @Override
        public String getCode() {
            return plan.getCode();
        }

        @Override
        @SuppressWarnings({"rawtypes", "unchecked"}) // as Calcite declares it
        public Bindable getBindable(CursorFactory cursors) {
            return StatementRun.each(plan.getBindable(cursors));
        }

        @Override
        public Type getElementType() {
            return plan.getElementType();
        }
    }
}
