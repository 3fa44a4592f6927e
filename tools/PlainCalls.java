import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Label;
import java.lang.classfile.PseudoInstruction;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Makes plain methods of calls that cost a command time at its start:
 *
 * <ul>
 *   <li>Java would make classes at run time for switches over types, and for {@code equals}, {@code
 *       hashCode} and {@code toString} of records. The AOT cache keeps lambdas and string
 *       concatenations, but not these.
 *   <li>Libraries ask by name for classes of other libraries. One that is not there is looked for
 *       in every jar, which opens them all; the AOT cache alone would have opened none.
 * </ul>
 *
 * <p>Every such call becomes one of a private static method of the same class that does the same.
 * Switches with labels other than types and strings stay as they are.
 */
final class PlainCalls {
    private static final ClassDesc SWITCHES = ClassDesc.of("java.lang.runtime.SwitchBootstraps");
    private static final ClassDesc RECORDS = ClassDesc.of("java.lang.runtime.ObjectMethods");
    private static final ClassDesc OBJECTS = ClassDesc.of("java.util.Objects");
    private static final ClassDesc BUILDER = ClassDesc.of("java.lang.StringBuilder");
    private static final MethodTypeDesc FOR_NAME =
            MethodTypeDesc.of(ConstantDescs.CD_Class, ConstantDescs.CD_String);
    private static final MethodTypeDesc SAME =
            MethodTypeDesc.of(
                    ConstantDescs.CD_boolean, ConstantDescs.CD_Object, ConstantDescs.CD_Object);
    private static final int FLAGS =
            ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC;

    private final ClassModel model;
    private final Predicate<String> exists;
    private final List<Consumer<ClassBuilder>> added = new ArrayList<>();

    /**
     * The text that is on top of the stack for sure, as the last instruction loaded it; or empty.
     */
    private String text = "";

    private PlainCalls(ClassModel model, Predicate<String> exists) {
        this.model = model;
        this.exists = exists;
    }

    /**
     * The class with plain calls; the same array if it has none to replace.
     *
     * @param exists whether there is a class of that binary name
     */
    static byte[] apply(ClassFile format, byte[] content, Predicate<String> exists) {
        ClassModel model = format.parse(content);
        PlainCalls calls = new PlainCalls(model, exists);
        boolean any = FastStart.code(model).anyMatch(calls::isReplaced);
        return any ? calls.apply(format) : content;
    }

    private byte[] apply(ClassFile format) {
        return format.transformClass(
                model,
                ClassTransform.transformingMethodBodies(this::replace)
                        .andThen(
                                new ClassTransform() {
                                    @Override
                                    public void accept(ClassBuilder out, ClassElement element) {
                                        out.with(element);
                                    }

                                    @Override
                                    public void atEnd(ClassBuilder out) {
                                        added.forEach(method -> method.accept(out));
                                    }
                                }));
    }

    /** To be asked about every element of a method in turn. */
    private boolean isReplaced(CodeElement element) {
        if (element instanceof PseudoInstruction && !(element instanceof LabelTarget)) {
            return false;
        }
        String loaded = text;
        text =
                element instanceof ConstantInstruction constant
                                && constant.constantValue() instanceof String string
                        ? string
                        : "";
        return switch (element) {
            case InvokeDynamicInstruction call -> isTypeSwitch(call) || isRecordMethod(call);
            case InvokeInstruction call ->
                    isClassForName(call) && !loaded.isEmpty() && !exists.test(loaded);
            default -> false;
        };
    }

    private static boolean isClassForName(InvokeInstruction call) {
        return call.name().equalsString("forName")
                && call.owner().asSymbol().equals(ConstantDescs.CD_Class)
                && call.typeSymbol().equals(FOR_NAME);
    }

    private static boolean isTypeSwitch(InvokeDynamicInstruction call) {
        return call.bootstrapMethod().owner().equals(SWITCHES)
                && call.bootstrapMethod().methodName().equals("typeSwitch")
                && call.bootstrapArgs().stream()
                        .allMatch(label ->
                                label instanceof String
                                        || label instanceof ClassDesc type && !type.isPrimitive());
    }

    private static boolean isRecordMethod(InvokeDynamicInstruction call) {
        return call.bootstrapMethod().owner().equals(RECORDS);
    }

    private void replace(CodeBuilder code, CodeElement element) {
        if (!isReplaced(element)) {
            code.with(element);
            return;
        }
        switch (element) {
            case InvokeDynamicInstruction call -> {
                List<ConstantDesc> arguments = call.bootstrapArgs();
                Consumer<CodeBuilder> body =
                        isTypeSwitch(call)
                                ? out -> typeSwitch(out, arguments)
                                : switch (call.name().stringValue()) {
                                    case "equals" -> out -> recordEquals(out, arguments);
                                    case "hashCode" -> out -> recordHash(out, arguments);
                                    case "toString" -> out -> recordText(out, arguments);
                                    default -> throw new IllegalStateException(call.toString());
                                };
                call(code, call.name().stringValue(), call.typeSymbol(), body);
            }
            case InvokeInstruction call -> call(code, "absent", FOR_NAME, PlainCalls::absent);
            default -> throw new IllegalStateException(element.toString());
        }
    }

    /** Calls a method that is added to the class. */
    private void call(
            CodeBuilder code, String name, MethodTypeDesc type, Consumer<CodeBuilder> body) {
        String full = "plain$" + added.size() + "$" + name;
        added.add(out -> out.withMethodBody(full, type, FLAGS, body));
        boolean inInterface = model.flags().has(AccessFlag.INTERFACE);
        code.invokestatic(model.thisClass().asSymbol(), full, type, inInterface);
    }

    /** {@code (String name)}: there is no class of that name. */
    private static void absent(CodeBuilder out) {
        ClassDesc type = ClassDesc.of("java.lang.ClassNotFoundException");
        out.new_(type).dup().aload(0);
        out.invokespecial(
                type, "<init>", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String));
        out.athrow();
    }

    /**
     * {@code (Object value, int from)}: the first label from {@code from} on that fits, the number
     * of labels if none does, -1 for null.
     */
    private static void typeSwitch(CodeBuilder out, List<ConstantDesc> labels) {
        Label present = out.newLabel();
        out.aload(0).ifnonnull(present).iconst_m1().ireturn().labelBinding(present);
        for (int i = 0; i < labels.size(); i++) {
            Label next = out.newLabel();
            out.iload(1).loadConstant(i).if_icmpgt(next);
            if (labels.get(i) instanceof ClassDesc type) {
                out.aload(0).instanceOf(type).ifeq(next);
            } else {
                out.loadConstant((String) labels.get(i)).aload(0);
                out.invokevirtual(
                        ConstantDescs.CD_String,
                        "equals",
                        MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_Object));
                out.ifeq(next);
            }
            out.loadConstant(i).ireturn().labelBinding(next);
        }
        out.loadConstant(labels.size()).ireturn();
    }

    /** The record's fields; the first two arguments are its class and their names. */
    private static List<DirectMethodHandleDesc> fields(List<ConstantDesc> arguments) {
        return arguments.stream().skip(2).map(DirectMethodHandleDesc.class::cast).toList();
    }

    private static ClassDesc load(CodeBuilder out, int slot, DirectMethodHandleDesc field) {
        ClassDesc type = field.invocationType().returnType();
        out.aload(slot).getfield(field.owner(), field.methodName(), type);
        return type;
    }

    /** {@code (Record self, Object other)}. */
    private static void recordEquals(CodeBuilder out, List<ConstantDesc> arguments) {
        ClassDesc self = (ClassDesc) arguments.get(0);
        Label differs = out.newLabel();
        out.aload(1).instanceOf(self).ifeq(differs).aload(1).checkcast(self).astore(2);
        for (DirectMethodHandleDesc field : fields(arguments)) {
            load(out, 0, field);
            ClassDesc type = load(out, 2, field);
            switch (TypeKind.from(type).asLoadable()) {
                case INT -> out.if_icmpne(differs);
                case LONG -> out.lcmp().ifne(differs);
                case FLOAT, DOUBLE ->
                        out.invokestatic(
                                        wrapper(type),
                                        "compare",
                                        MethodTypeDesc.of(ConstantDescs.CD_int, type, type))
                                .ifne(differs);
                default -> out.invokestatic(OBJECTS, "equals", SAME).ifeq(differs);
            }
        }
        out.iconst_1().ireturn().labelBinding(differs).iconst_0().ireturn();
    }

    /** {@code (Record self)}. */
    private static void recordHash(CodeBuilder out, List<ConstantDesc> arguments) {
        out.iconst_0().istore(1);
        for (DirectMethodHandleDesc field : fields(arguments)) {
            out.iload(1).bipush(31).imul();
            ClassDesc type = load(out, 0, field);
            ClassDesc hashed = type.isPrimitive() ? type : ConstantDescs.CD_Object;
            out.invokestatic(
                    type.isPrimitive() ? wrapper(type) : OBJECTS,
                    "hashCode",
                    MethodTypeDesc.of(ConstantDescs.CD_int, hashed));
            out.iadd().istore(1);
        }
        out.iload(1).ireturn();
    }

    /** {@code (Record self)}. */
    private static void recordText(CodeBuilder out, List<ConstantDesc> arguments) {
        String name = ((ClassDesc) arguments.get(0)).displayName();
        String[] names = ((String) arguments.get(1)).split(";");
        out.new_(BUILDER).dup();
        out.invokespecial(BUILDER, "<init>", MethodTypeDesc.of(ConstantDescs.CD_void));
        String before = name.substring(name.lastIndexOf('$') + 1) + "[";
        int i = 0;
        for (DirectMethodHandleDesc field : fields(arguments)) {
            append(out.loadConstant(before + names[i++] + "="), ConstantDescs.CD_String);
            ClassDesc type = load(out, 0, field);
            append(
                    out,
                    switch (TypeKind.from(type)) {
                        case BYTE, SHORT -> ConstantDescs.CD_int;
                        case REFERENCE -> ConstantDescs.CD_Object;
                        default -> type;
                    });
            before = ", ";
        }
        append(out.loadConstant(i == 0 ? before + "]" : "]"), ConstantDescs.CD_String);
        out.invokevirtual(BUILDER, "toString", MethodTypeDesc.of(ConstantDescs.CD_String));
        out.areturn();
    }

    private static void append(CodeBuilder out, ClassDesc type) {
        out.invokevirtual(BUILDER, "append", MethodTypeDesc.of(BUILDER, type));
    }

    static ClassDesc wrapper(ClassDesc primitive) {
        return switch (TypeKind.from(primitive)) {
            case BOOLEAN -> ConstantDescs.CD_Boolean;
            case BYTE -> ConstantDescs.CD_Byte;
            case CHAR -> ConstantDescs.CD_Character;
            case SHORT -> ConstantDescs.CD_Short;
            case INT -> ConstantDescs.CD_Integer;
            case LONG -> ConstantDescs.CD_Long;
            case FLOAT -> ConstantDescs.CD_Float;
            case DOUBLE -> ConstantDescs.CD_Double;
            case REFERENCE, VOID -> throw new IllegalArgumentException(primitive.displayName());
        };
    }
}
