package dev.penstock.kernel;

import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Which form of the kernels this process runs: {@code vector-512}, {@code vector-256} or {@code
 * scalar}. Chosen once, at class initialisation:
 *
 * <ul>
 *   <li>{@code -Dpenstock.kernel} may name a narrower form than the machine has; other values are
 *       ignored
 *   <li>without the module jdk.incubator.vector the scalar form runs; {@code
 *       -Dpenstock.vectors=true} brings it in ({@link VectorModule})
 *   <li>else the preferred vector shape of this JVM decides
 * </ul>
 */
public final class KernelSelection {
    /** System property that names the form to run. */
    public static final String PROPERTY = "penstock.kernel";

    private static final String VECTOR_512 = "vector-512";
    private static final String VECTOR_256 = "vector-256";
    private static final String SCALAR = "scalar";

    private static final String CHOSEN = choose(vectorBits(), System.getProperty(PROPERTY, ""));

    /** Whether vector kernels run at all. */
    static final boolean VECTOR = !CHOSEN.equals(SCALAR);

    /** Bytes in a vector of the chosen form; 0 if scalar. */
    static final int VECTOR_BYTES = !VECTOR ? 0 : CHOSEN.equals(VECTOR_512) ? 64 : 32;

    /**
     * Whether compressing the bytes of a vector is one instruction (AVX-512 VBMI2). Without it the
     * JVM emulates it, slower than any scalar loop.
     */
    static final boolean COMPRESS = VECTOR_BYTES == 64 && processorHas("avx512_vbmi2");

    /**
     * Callers between {@link #beginBrief} and {@link #endBrief}; kernels look at it once a call,
     * and need not see it at once.
     */
    private static final AtomicInteger BRIEF = new AtomicInteger();

    /**
     * Where vector kernels begin to pay that take a second or two to compile, callers included, and
     * save half a nanosecond a value. Whoever has gone over so many values may go over many more.
     */
    private static final long SERVER_VALUES = 1_500_000_000L;

    /**
     * The same where the end is in sight. What compiling these kernels takes from a loader's
     * threads some twenty more GB of text have to earn back: so many values are 56 GB of {@code
     * lineitem} at a loader, and 29 where it merges as well.
     */
    private static final long LOAD_VALUES = 10_000_000_000L;

    private KernelSelection() {}

    /**
     * For a process that serves others, and does not know how much work will come: vector kernels
     * convert fields, pack and unpack only once there has been much of it, and they have been
     * compiled beside.
     *
     * @param background runs a task of a second or two in a thread of its own
     */
    public static void beginServing(Consumer<Runnable> background) {
        VectorKernels.postpone(SERVER_VALUES, background);
    }

    /**
     * For a process that loads, and then ends: the same, once there has been very much. Vector
     * kernels that find delimiters do so at once; there are few of them, and they save the most.
     *
     * @param background runs a task of a second or two in a thread of its own
     */
    public static void beginLoading(Consumer<Runnable> background) {
        VectorKernels.postpone(LOAD_VALUES, background);
    }

    /**
     * Has the vector kernels that were postponed compiled now, by the calling thread, which takes a
     * second or two, and has them take over.
     */
    public static void vectorsNow() {
        VectorKernels.now();
    }

    /**
     * For a process with a store, which does not know how much will be read of it: the vector
     * kernels of reads wait until that has been much, and they have been compiled beside.
     *
     * @param background runs a task of a second or two in a thread of its own
     */
    public static void readVectorsLate(Consumer<Runnable> background) {
        QueryVectors.postpone(background);
    }

    /** Whether the vector kernels that read text run now. */
    static boolean vector() {
        return VECTOR && BRIEF.getPlain() == 0;
    }

    /**
     * Says that a little text will be read, as for a sample: until {@link #endBrief} the scalar
     * kernels read it. They do in an instant what vector kernels, which run a hundred times slower
     * until they are compiled, would take longer for.
     */
    public static void beginBrief() {
        BRIEF.incrementAndGet();
    }

    /** Ends what one call of {@link #beginBrief} began. */
    public static void endBrief() {
        BRIEF.decrementAndGet();
    }

    /** The form that runs, as reports name it. */
    public static String chosen() {
        return CHOSEN;
    }

    static String choose(int vectorBits, String wish) {
        if (wish.equals(SCALAR) || vectorBits < 256) {
            return SCALAR;
        }
        return vectorBits >= 512 && !wish.equals(VECTOR_256) ? VECTOR_512 : VECTOR_256;
    }

    private static int vectorBits() {
        return VectorModule.isPresent() ? VectorWidth.preferredBits() : 0;
    }

    /** Reads Linux's list of processor features; elsewhere the answer is no. */
    private static boolean processorHas(String feature) {
        try (BufferedReader lines =
                new BufferedReader(new FileReader("/proc/cpuinfo", StandardCharsets.US_ASCII))) {
            String line = lines.readLine();
            while (line != null && !line.startsWith("flags")) {
                line = lines.readLine();
            }
            return line != null && (line + ' ').contains(' ' + feature + ' ');
        } catch (IOException e) {
            return false;
        }
    }
}
