package dev.penstock.loader.plan;

import dev.penstock.loader.LoadPlan;
import dev.penstock.loader.file.Fingerprint;
import dev.penstock.loader.file.InputFile;
import dev.penstock.loader.file.Inputs;
import dev.penstock.sampler.Sample;
import dev.penstock.sampler.profile.ColumnProfile;
import dev.penstock.schema.TableSchema;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The parts of a plan that only describe: what a reader sees of inputs, dialect and columns. */
final class PlanDescription {
    private static final int MAX_DICTIONARY_ENTRIES = 4096;

    private PlanDescription() {}

    static List<LoadPlan.Input> inputs(Inputs inputs) {
        Fingerprint fingerprint = new Fingerprint(inputs);
        List<LoadPlan.Input> planned = new ArrayList<>();
        for (InputFile file : inputs.files()) {
            planned.add(
                    new LoadPlan.Input(
                            file.name(),
                            file.compression().word(),
                            file.bytes(),
                            file.modifiedMillis(),
                            fingerprint.ofEdges(file)));
        }
        return planned;
    }

    static LoadPlan.DialectChoice dialect(ChosenDialect chosen) {
        return new LoadPlan.DialectChoice(
                PlanWords.character(chosen.dialect().delimiter()),
                PlanWords.character(chosen.dialect().quote()),
                PlanWords.character(chosen.dialect().escape()),
                PlanWords.character(chosen.dialect().comment()),
                chosen.dialect().newline().name().toLowerCase(Locale.ROOT),
                chosen.dialect().header(),
                chosen.dialect().trailingDelimiter(),
                chosen.dialect().nullText(),
                chosen.because());
    }

    static List<String> fields(TableSchema schema, ChosenDialect dialect) {
        return dialect.fieldColumns().stream()
                .map(column -> column < 0 ? "" : schema.column(column).name())
                .toList();
    }

    static List<LoadPlan.PlannedColumn> columns(TableSchema schema, Sample sample) {
        List<LoadPlan.PlannedColumn> columns = new ArrayList<>();
        for (int i = 0; i < schema.visibleColumnCount(); i++) {
            int index = i;
            boolean sampled = sample.rows() > 0;
            columns.add(
                    new LoadPlan.PlannedColumn(
                            schema.column(i).name(),
                            schema.column(i).type().sql(),
                            schema.column(i).nullable(),
                            schema.key().stream().anyMatch(part -> part.columnIndex() == index),
                            sampled ? sample.columns().get(i).nullShare() : -1,
                            sampled ? sample.columns().get(i).meanBytes() : -1,
                            sampled ? sample.columns().get(i).distinctEstimate() : -1));
        }
        return columns;
    }

    /**
     * Rough bytes of the stored segments: each column by codes if the sample has few distinct
     * values, else plain; -1 if the size of the input is unknown.
     */
    static long storedBytes(Sample sample, long textBytes) {
        if (sample.recordBytes() == 0 || textBytes < 0) {
            return -1;
        }
        double rowBytes = 0;
        for (ColumnProfile column : sample.columns()) {
            long distinct = Math.max(2, column.distinctEstimate());
            double codeBytes = (64 - Long.numberOfLeadingZeros(distinct - 1)) / 8.0;
            double plainBytes = column.meanBytes() * (1 - column.nullShare());
            rowBytes +=
                    distinct <= MAX_DICTIONARY_ENTRIES
                            ? Math.min(plainBytes, codeBytes)
                            : plainBytes;
        }
        return Math.round(rowBytes * sample.rows() * ((double) textBytes / sample.recordBytes()));
    }
}
