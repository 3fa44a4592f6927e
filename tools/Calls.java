import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** Puts something else in the place of calls. */
final class Calls {
    private Calls() {}

    /**
     * The class without some calls; the same array if it has none of them.
     *
     * @param instead adds what takes the arguments of the call and leaves a result like its own
     */
    static byte[] replace(
            ClassFile format,
            byte[] content,
            Predicate<InvokeInstruction> replaced,
            BiConsumer<CodeBuilder, InvokeInstruction> instead) {
        ClassModel model = format.parse(content);
        boolean any =
                FastStart.code(model)
                        .anyMatch(each ->
                                each instanceof InvokeInstruction call && replaced.test(call));
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
}
