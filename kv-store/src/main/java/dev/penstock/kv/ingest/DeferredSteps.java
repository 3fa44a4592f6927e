package dev.penstock.kv.ingest;

import dev.penstock.bytes.MemoryCopy;
import dev.penstock.kv.ingest.FragmentSteps.Staged;
import dev.penstock.kv.ingest.Staging.Part;
import dev.penstock.kv.region.Region;
import dev.penstock.step.CpuClock;
import dev.penstock.step.FragmentForm;
import dev.penstock.step.RawFragment;
import dev.penstock.step.StepName;
import dev.penstock.step.StepTimes;
import dev.penstock.target.FragmentHeader;

import java.util.BitSet;

/** Policy {@code sequential}: the steps of fragments that were only stored while they arrived. */
final class DeferredSteps {
    private final LoadIntake load;
    private final Region region;
    private final ArrivalProof proof;
    private final StepTimes times;

    DeferredSteps(LoadIntake load, Region region, ArrivalProof proof, StepTimes times) {
        this.load = load;
        this.region = region;
        this.proof = proof;
        this.times = times;
    }

    /** Runs the steps of every raw fragment of {@code source} and appends the images. */
    void run(Staging source, Staging target, AnsweredRejects rejects) {
        if (source.partCount() == 0) {
            return;
        }
        source.load();
        FragmentSteps steps = load.steps().borrowSteps();
        byte[] payload = new byte[0];
        for (Part part : source.parts()) {
            if (payload.length < part.length()) {
                payload = new byte[part.length()];
            }
            MemoryCopy.read(source.bytes(part), 0, payload, 0, part.length());
            run(steps, payload, part, target, rejects);
        }
        load.steps().giveBack(steps);
    }

    private void run(
            FragmentSteps steps,
            byte[] payload,
            Part part,
            Staging target,
            AnsweredRejects rejects) {
        CpuClock clock = new CpuClock();
        int records = RawFragment.read(payload, part.length()).recordCount();
        FragmentHeader header =
                new FragmentHeader(
                        part.chunkId(), region.descriptor().regionId(), FragmentForm.RAW, records);
        Staged staged = steps.run(header, payload, part.length(), new BitSet(), rejects, clock);
        if (staged.reader().rowCount() > 0) {
            target.append(part.chunkId(), staged.image(), staged.length());
            proof.take(staged.reader().rowCount(), staged.sums());
        }
        clock.lap(StepName.WRITE);
        times.addAll(clock.times());
    }
}
