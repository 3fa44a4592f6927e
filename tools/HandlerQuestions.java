import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
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
        if (!canAsk) return content;
        ClassModel model = format.parse(content);
        boolean asks =
                model.thisClass().asInternalName().startsWith(NETTY)
                        && FastStart.code(model).anyMatch(HandlerQuestions::asks);
        return asks
                ? format.transformClass(
                        model, ClassTransform.transformingMethodBodies(HandlerQuestions::askKnown))
                : content;
    }

    /** Whether a class, as text, may ask. */
    static boolean concerns(String words) {
        return words.contains(NETTY) && words.contains("isAnnotationPresent");
    }

    private static boolean asks(CodeElement element) {
        return element instanceof InvokeInstruction call
                && call.opcode() == Opcode.INVOKEVIRTUAL
                && call.owner().asInternalName().startsWith("java/lang/")
                && call.name().equalsString("isAnnotationPresent")
                && call.typeSymbol().equals(HAS);
    }

    private static void askKnown(CodeBuilder code, CodeElement element) {
        if (asks(element)) {
            code.invokestatic(
                    ClassDesc.ofInternalName(KNOWN), "has", HAS.insertParameterTypes(0, ELEMENT));
        } else {
            code.with(element);
        }
    }
}
