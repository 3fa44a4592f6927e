package dev.penstock.kernel;

/**
 * The JDK's incubating vector module. A JVM may have had it from its start ({@code --add-modules});
 * else it is brought in when {@code -Dpenstock.vectors=true} asks for it.
 *
 * <p>Bringing it in late is worth a call into the JDK's own package: a JVM that starts with an
 * incubating module says so on standard error, and restores neither linked classes nor profiles
 * from an AOT cache. Java needs {@code --add-exports=java.base/jdk.internal.module=ALL-UNNAMED} for
 * it.
 */
public final class VectorModule {
    private static final String NAME = "jdk.incubator.vector";
    private static final String PROPERTY = "penstock.vectors";

    private VectorModule() {}

    /** Whether vector kernels can run; brings the module in where that is asked for. */
    static boolean isPresent() {
        return ModuleLayer.boot().findModule(NAME).isPresent()
                || (Boolean.getBoolean(PROPERTY) && bringIn());
    }

    /**
     * Brings the module in; which kernels run is decided already, or will be.
     *
     * @return false where the JDK has no such module, no such way to load it, or does not export it
     */
    public static boolean bringIn() {
        try {
            Class.forName("jdk.internal.module.Modules")
                    .getMethod("loadModule", String.class)
                    .invoke(null, NAME);
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}
