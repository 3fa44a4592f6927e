package dev.penstock.bench.endtoend;

import dev.penstock.bench.machine.Machine;
import dev.penstock.cli.render.JsonObject;
import dev.penstock.loader.report.Quantities;
import dev.penstock.loader.report.TextTable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What a comparison found, as lines for people and as JSON.
 *
 * @param title what was done, to which file
 * @param threads each contender could use
 * @param runs of each that count
 * @param results at least one; speeds are relative to the first
 * @param skipped names and reasons
 */
record Report(
        String title,
        Machine machine,
        int threads,
        int runs,
        List<Result> results,
        Map<String, String> skipped) {
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(machineLine());
        lines.add(diskLine());
        lines.add(title + "; " + runsLine());
        TextTable table =
                new TextTable(
                        "lrrrrrrrr",
                        "",
                        "median",
                        "min",
                        "max",
                        "MB/s",
                        "CPU s",
                        "rows",
                        "stored",
                        "speed");
        for (Result result : results) {
            table.row(
                    result.name(),
                    Quantities.seconds(result.median()),
                    Quantities.seconds(result.min()),
                    Quantities.seconds(result.max()),
                    Quantities.decimal(result.speed(), 0),
                    known(result.cpuSeconds(), 2),
                    Quantities.count(result.rows()),
                    Quantities.bytes(result.storedBytes()),
                    Quantities.decimal(relative(result), 2));
        }
        lines.addAll(table.lines(""));
        lines.add("MB/s: 10^6 bytes of text; speed: relative to the first line");
        results.forEach(result ->
                lines.add(
                        result.name()
                                + ": "
                                + result.description()
                                + "; version "
                                + result.version()));
        skipped.forEach((name, reason) -> lines.add(name + ": skipped, " + reason));
        return lines;
    }

    /** The processor, the memory, the system. */
    String machineLine() {
        return machine.cpu()
                + ", "
                + machine.cores()
                + " cores, worth "
                + known(machine.busyCores(), 2)
                + " when all are busy, "
                + Quantities.bytes(machine.memoryBytes())
                + ", "
                + machine.system()
                + ", "
                + machine.java();
    }

    /** What the machine's disk and memory do. */
    String diskLine() {
        return "disk MB/s: buffered write with fsync "
                + known(machine.disk().bufferedWrite(), 0)
                + ", direct write "
                + known(machine.disk().directWrite(), 0)
                + ", direct read "
                + known(machine.disk().directRead(), 0)
                + "; memory copy "
                + known(machine.copySpeed(), 0)
                + " MB/s per core";
    }

    String runsLine() {
        return (threads == 1 ? "1 thread; " : threads + " threads; ")
                + (runs == 1 ? "1 run each" : runs + " runs each, in turn");
    }

    double relative(Result result) {
        return result.speed() / results.getFirst().speed();
    }

    JsonObject json() {
        List<JsonObject> list = new ArrayList<>();
        for (Result result : results) {
            list.add(
                    new JsonObject()
                            .put("name", result.name())
                            .put("description", result.description())
                            .put("version", result.version())
                            .put("file_bytes", result.textBytes())
                            .put("rows", result.rows())
                            .put("seconds", Arrays.stream(result.seconds()).boxed().toList())
                            .put("median_seconds", result.median(), 4)
                            .put("min_seconds", result.min(), 4)
                            .put("max_seconds", result.max(), 4)
                            .put("mb_per_second", result.speed(), 1)
                            .put("cpu_seconds", result.cpuSeconds(), 2)
                            .put("bytes_stored", result.storedBytes())
                            .put("relative_speed", relative(result), 3));
        }
        List<JsonObject> absent = new ArrayList<>();
        skipped.forEach((name, reason) ->
                absent.add(new JsonObject().put("name", name).put("reason", reason)));
        return new JsonObject()
                .put("title", title)
                .put("machine", machineJson())
                .put("threads", threads)
                .put("runs", runs)
                .put("contenders", list)
                .put("skipped", absent);
    }

    private JsonObject machineJson() {
        return new JsonObject()
                .put("cpu", machine.cpu())
                .put("cores", machine.cores())
                .put("busy_cores", machine.busyCores(), 2)
                .put("memory_bytes", machine.memoryBytes())
                .put("system", machine.system())
                .put("java", machine.java())
                .put("buffered_write_mb_per_second", machine.disk().bufferedWrite(), 0)
                .put("direct_write_mb_per_second", machine.disk().directWrite(), 0)
                .put("direct_read_mb_per_second", machine.disk().directRead(), 0)
                .put("memory_copy_mb_per_second", machine.copySpeed(), 0);
    }

    private static String known(double value, int digits) {
        return Double.isNaN(value) ? "-" : Quantities.decimal(value, digits);
    }
}
