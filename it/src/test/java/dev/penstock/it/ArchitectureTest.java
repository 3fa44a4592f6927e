package dev.penstock.it;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

import org.junit.jupiter.api.Test;

import java.util.Comparator;

/** Which code may use which; ARCHITECTURE.md gives the reasons. */
final class ArchitectureTest {
    /** Packages of the module columnar. */
    private static final String[] COLUMNAR = {
        "dev.penstock.error..",
        "dev.penstock.bytes..",
        "dev.penstock.schema..",
        "dev.penstock.batch..",
        "dev.penstock.dialect..",
        "dev.penstock.reject..",
        "dev.penstock.key..",
        "dev.penstock.predicate..",
        "dev.penstock.kernel..",
        "dev.penstock.parse..",
        "dev.penstock.convert..",
        "dev.penstock.sort..",
        "dev.penstock.dict..",
        "dev.penstock.segment..",
        "dev.penstock.aggregate..",
        "dev.penstock.step..",
        "dev.penstock.target.."
    };

    private static final JavaClasses MAIN =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("dev.penstock");

    @Test
    void top_level_packages_have_no_cycles() {
        slices().assignedFrom(new TopLevel()).should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void columnar_depends_on_no_other_module() {
        noClasses()
                .that()
                .resideInAnyPackage(COLUMNAR)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.penstock.sampler..",
                        "dev.penstock.kv..",
                        "dev.penstock.loader..",
                        "dev.penstock.cli..",
                        "dev.penstock.jdbc..",
                        "dev.penstock.sql..")
                .check(MAIN);
    }

    @Test
    void the_loader_never_depends_on_the_store() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.penstock.loader..", "dev.penstock.sampler..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.penstock.kv..",
                        "dev.penstock.cli..",
                        "dev.penstock.jdbc..",
                        "dev.penstock.sql..")
                .check(MAIN);
    }

    @Test
    void the_store_never_depends_on_the_loader() {
        noClasses()
                .that()
                .resideInAPackage("dev.penstock.kv..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.penstock.loader..",
                        "dev.penstock.sampler..",
                        "dev.penstock.cli..",
                        "dev.penstock.jdbc..",
                        "dev.penstock.sql..")
                .check(MAIN);
    }

    @Test
    void the_sampler_never_depends_on_the_loader() {
        noClasses()
                .that()
                .resideInAPackage("dev.penstock.sampler..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.penstock.loader..")
                .check(MAIN);
    }

    @Test
    void steps_start_no_threads_and_open_no_files_or_sockets() {
        noClasses()
                .that()
                .resideInAnyPackage(COLUMNAR)
                .and()
                .doNotHaveSimpleName("KernelSelection") // asks the system what the processor has
                .and()
                .doNotHaveSimpleName("TextFile") // hands an open file on, and does nothing with it
                .and()
                .doNotHaveSimpleName("PositionalReader") // reads from what others have opened
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.Thread")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.concurrent\\..*Execut.*")
                .orShould()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net..", "java.nio.file..", "java.nio.channels..")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.io\\.(File.*|RandomAccessFile)")
                .check(MAIN);
    }

    @Test
    void the_load_target_interface_knows_no_implementation() {
        classes()
                .that()
                .resideInAPackage("dev.penstock.target..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "org.jspecify..",
                        "dev.penstock.target..",
                        "dev.penstock.error..",
                        "dev.penstock.bytes..",
                        "dev.penstock.schema..",
                        "dev.penstock.batch..",
                        "dev.penstock.dialect..",
                        "dev.penstock.reject..",
                        "dev.penstock.key..",
                        "dev.penstock.dict..", // token tables, which both sides agree on
                        "dev.penstock.step..")
                .check(MAIN);
    }

    @Test
    void each_library_has_one_door() {
        onlyIn("io.netty..", "dev.penstock.kv.net..");
        onlyIn("org.apache.datasketches..", "dev.penstock.sampler.sketch..");
        onlyIn("jdk.incubator.vector..", "dev.penstock.kernel..", "dev.penstock.bench..");
        onlyIn("picocli..", "dev.penstock.cli..");
        onlyIn("net.sf.jsqlparser..", "dev.penstock.kv.ddl..");
        onlyIn("org.apache.arrow..", "dev.penstock.cli.arrow..");
        onlyIn("io.trino.tpch..", "dev.penstock.cli.generate..");
        onlyIn("org.duckdb..", "dev.penstock.bench..");
        onlyIn("org.apache.calcite..", "dev.penstock.sql..");
    }

    @Test
    void the_network_layer_never_sees_storage() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.penstock.kv.net..", "dev.penstock.kv.wire..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.penstock.kv.storage..")
                .check(MAIN);
    }

    @Test
    void class_names_are_nouns_with_a_meaning() {
        noClasses()
                .that()
                .resideInAPackage("dev.penstock..")
                .and()
                .doNotHaveSimpleName("RegionInfo")
                .and()
                .doNotHaveSimpleName("ColumnData")
                .should()
                .haveNameMatching(".*(Util|Utils|Helper|Manager|Processor|Info|(?<!Meta)Data)")
                .check(MAIN);
    }

    @Test
    void randomness_is_seeded() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.penstock.kv.client..") // jitter between attempts
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.concurrent.ThreadLocalRandom")
                .orShould()
                .callConstructor(java.util.Random.class)
                .orShould()
                .callMethod(Math.class, "random")
                .check(MAIN);
    }

    /** Those of {@link Comparator} are made at run time, in each process anew. */
    @Test
    void what_commands_run_has_comparators_of_its_own() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.penstock.jdbc..", "dev.penstock.sql..", "dev.penstock.bench..")
                .should()
                .callMethodWhere(
                        target(owner(type(Comparator.class)))
                                .and(target(nameMatching("comparing.*|thenComparing.*|reversed"))))
                .check(MAIN);
    }

    /**
     * One slice per package right below {@code dev.penstock}; the steps and the interface that
     * carries their results to a target are one, as they name each other's outcomes.
     */
    private static final class TopLevel implements SliceAssignment {
        @Override
        public String getDescription() {
            return "packages of dev.penstock";
        }

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
            String[] parts = javaClass.getPackageName().split("\\.");
            String name = parts.length > 2 ? parts[2] : "";
            return name.isEmpty()
                    ? SliceIdentifier.ignore()
                    : SliceIdentifier.of(name.equals("target") ? "step" : name);
        }
    }

    private static void onlyIn(String library, String... doors) {
        noClasses()
                .that()
                .resideOutsideOfPackages(doors)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .check(MAIN);
    }
}
