import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** Puts something else in the place of calls, and adds those that make objects of values. */
final class Calls {
    private Calls() {}

    /**
     * The class without some calls; the same array if it has none of them.
     *
     * @param owners what the names of classes begin with that are changed
     * @param instead adds what takes the arguments of the call and leaves a result like its own
     */
    static byte[] replace(
            ClassFile format,
            byte[] content,
            String owners,
            Predicate<InvokeInstruction> replaced,
            BiConsumer<CodeBuilder, InvokeInstruction> instead) {
        ClassModel model = format.parse(content);
        boolean any =
                model.thisClass().asInternalName().startsWith(owners)
                        && FastStart.code(model)
                                .anyMatch(each ->
                                        each instanceof InvokeInstruction call
                                                && replaced.test(call));
        if (!any) return content;
        return format.transformClass(
                model,
                ClassTransform.transformingMethodBodies((code, element) -> {
                    if (element instanceof InvokeInstruction call && replaced.test(call)) {
                        instead.accept(code, call);
                    } else {
                        code.with(element);
                    }
                }));
    }

    /** Makes an object of the primitive value on top of the stack. */
    static void box(CodeBuilder code, ClassDesc primitive) {
        ClassDesc box = PlainCalls.wrapper(primitive);
        code.invokestatic(box, "valueOf", MethodTypeDesc.of(box, primitive));
    }

    /** Makes a value of a type, primitive or not, of the object on top of the stack. */
    static void unbox(CodeBuilder code, ClassDesc type) {
        if (type.isPrimitive()) {
            ClassDesc box = PlainCalls.wrapper(type);
            code.checkcast(box);
            code.invokevirtual(box, type.displayName() + "Value", MethodTypeDesc.of(type));
        } else {
            code.checkcast(type);
        }
    }
}
