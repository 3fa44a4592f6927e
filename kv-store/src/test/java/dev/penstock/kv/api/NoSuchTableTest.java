package dev.penstock.kv.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.stream.IntStream;

final class NoSuchTableTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | there is no table nope",
                "1 | there is no table nope; the store has t1",
                "10 | there is no table nope; the store has t1, t2, t3, t4, t5, t6, t7, t8, t9,"
                        + " t10",
                "12 | there is no table nope; the store has t1, t2, t3, t4, t5, t6, t7, t8, t9, t10"
                        + " and 2 more"
            })
    void it_names_those_that_there_are(int count, String message) {
        List<TableSchema> tables =
                IntStream.rangeClosed(1, count)
                        .mapToObj(i -> Ddl.parseCreateTable("CREATE TABLE t" + i + " (a BIGINT)"))
                        .toList();
        PenstockException failure = NoSuchTable.failure("nope", tables);
        assertThat(failure).hasMessage(message);
        assertThat(failure.category()).isEqualTo(ErrorCategory.USAGE);
    }
}
