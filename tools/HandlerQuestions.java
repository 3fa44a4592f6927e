import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/**
 * Lets Netty know without annotations what a handler leaves to others: it asks {@code
 * HandlerAnnotations} instead of methods and classes. Show all classes with {@link #look} first,
 * then change each with {@link #apply}.
 */
final class HandlerQuestions {
    /** Of the two classes that ask. */
    private static final String NETTY = "io/netty/channel/ChannelHandler";

    private static final String KNOWN = "dev/penstock/kv/net/HandlerAnnotations";
    private static final ClassDesc ELEMENT = ClassDesc.of("java.lang.reflect", "AnnotatedElement");
    private static final MethodTypeDesc HAS =
            MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_Class);

    private final ClassFile format;
    private boolean canAsk;

    HandlerQuestions(ClassFile format) {
        this.format = format;
    }

    /** Notes whether the class is the one that answers. */
    void look(String words) {
        canAsk |= words.contains(KNOWN);
    }

    /** The class as it is to be; the same array if there is nothing to change. */
    byte[] apply(byte[] content) {
        return canAsk
                ? Calls.replace(
                        format, content, NETTY, HandlerQuestions::asks, HandlerQuestions::askKnown)
                : content;
    }

    /** Whether a class, as text, may ask. */
    static boolean concerns(String words) {
        return words.contains(NETTY) && words.contains("isAnnotationPresent");
    }

    private static boolean asks(InvokeInstruction call) {
        return call.opcode() == Opcode.INVOKEVIRTUAL
                && call.owner().asInternalName().startsWith("java/lang/")
                && call.name().equalsString("isAnnotationPresent")
                && call.typeSymbol().equals(HAS);
    }

    private static void askKnown(CodeBuilder code, InvokeInstruction call) {
        MethodTypeDesc type = call.typeSymbol().insertParameterTypes(0, ELEMENT);
        code.invokestatic(ClassDesc.ofInternalName(KNOWN), "has", type);
    }
}
