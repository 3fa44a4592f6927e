import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes loggers when something is first said to them. The first logger of a process opens every jar
 * to look for whoever may do the logging, which takes longer than reading a CREATE TABLE statement
 * does, and the parser of such statements has loggers and says nothing to them.
 *
 * <p>Changed are static fields that get {@code Logger.getLogger(TheClass.class.getName())} when
 * their class is initialized, and never again, and that no other class reads. Show all classes with
 * {@link #look} first, then change each with {@link #apply}.
 */
final class LateLoggers {
    /** Stands in every class that has to do with loggers. */
    static final String TYPE = "java/util/logging/Logger";

    private static final ClassDesc LOGGER = ClassDesc.of("java.util.logging.Logger");
    private static final MethodTypeDesc GETTER = MethodTypeDesc.of(LOGGER);
    private static final MethodTypeDesc BY_NAME =
            MethodTypeDesc.of(LOGGER, ConstantDescs.CD_String);
    private static final MethodTypeDesc NAME = MethodTypeDesc.of(ConstantDescs.CD_String);
    private static final int FLAGS =
            ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC;

    private final ClassFile format;

    /** Names of the classes that read a logger, by owner and name of the field. */
    private final Map<String, Set<String>> readers = new HashMap<>();

    /** Fields, by owner and name, of all classes that have to do with loggers. */
    private final Set<String> declared = new HashSet<>();

    LateLoggers(ClassFile format) {
        this.format = format;
    }

    /** Notes which loggers the class reads, whosever they are. */
    void look(byte[] content) {
        ClassModel model = format.parse(content);
        String reader = model.thisClass().asInternalName();
        for (FieldModel field : model.fields()) {
            declared.add(reader + "." + field.fieldName().stringValue());
        }
        FastStart.code(model)
                .filter(LateLoggers::isOfLogger)
                .map(FieldInstruction.class::cast)
                .filter(field -> field.opcode() == Opcode.GETSTATIC)
                .forEach(field ->
                        readers.computeIfAbsent(key(field), k -> new HashSet<>()).add(reader));
    }

    /** The class with late loggers; the same array if it has none. */
    byte[] apply(byte[] content) {
        ClassModel model = format.parse(content);
        Set<String> late = new HashSet<>();
        Set<String> changing = new HashSet<>();
        for (MethodModel method : model.methods()) {
            boolean begins = method.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME);
            List<CodeElement> code =
                    method.code().map(each -> each.elementList()).orElseGet(List::of);
            for (int i = 0; i < code.size(); i++) {
                if (code.get(i) instanceof FieldInstruction field
                        && field.opcode() == Opcode.PUTSTATIC) {
                    boolean made = begins && isMade(model, code, i);
                    (made ? late : changing).add(field.name().stringValue());
                }
            }
        }
        late.removeAll(changing);
        return late.isEmpty() ? content : format.transformClass(model, new Change(model, late));
    }

    private static boolean isOfLogger(CodeElement element) {
        return element instanceof FieldInstruction field && field.typeSymbol().equals(LOGGER);
    }

    private static String key(FieldInstruction field) {
        return field.owner().asInternalName() + "." + field.name().stringValue();
    }

    /** Whether the element at an index is the last of the four that make such a logger. */
    private boolean isMade(ClassModel model, List<CodeElement> code, int index) {
        String self = model.thisClass().asInternalName();
        return index >= 3
                && isOfLogger(code.get(index))
                && code.get(index) instanceof FieldInstruction field
                && field.opcode() == Opcode.PUTSTATIC
                && field.owner().asInternalName().equals(self)
                && Set.of(self).containsAll(readers.getOrDefault(key(field), Set.of()))
                && !mayBeInherited(model, field.name().stringValue())
                && isCall(code.get(index - 1), LOGGER, "getLogger", BY_NAME)
                && isCall(code.get(index - 2), ConstantDescs.CD_Class, "getName", NAME)
                && code.get(index - 3) instanceof ConstantInstruction constant
                && model.thisClass().asSymbol().equals(constant.constantValue());
    }

    /** A class that reads what it has inherited names itself as the owner. */
    private boolean mayBeInherited(ClassModel model, String name) {
        return model.fields().stream()
                        .noneMatch(field ->
                                field.fieldName().equalsString(name)
                                        && field.flags().has(AccessFlag.PRIVATE))
                && readers.keySet().stream()
                        .anyMatch(read -> read.endsWith("." + name) && !declared.contains(read));
    }

    private static boolean isCall(
            CodeElement element, ClassDesc owner, String name, MethodTypeDesc type) {
        return element instanceof InvokeInstruction call
                && call.owner().asSymbol().equals(owner)
                && call.name().equalsString(name)
                && call.typeSymbol().equals(type);
    }

    /** Fields are no longer final, their class leaves them null, and who reads one makes it. */
    private static final class Change implements ClassTransform {
        private final ClassDesc self;
        private final Set<String> late;

        Change(ClassModel model, Set<String> late) {
            self = model.thisClass().asSymbol();
            this.late = late;
        }

        @Override
        public void accept(ClassBuilder out, ClassElement element) {
            switch (element) {
                case FieldModel field when late.contains(field.fieldName().stringValue()) ->
                        out.transformField(
                                field,
                                (to, part) -> {
                                    if (part instanceof AccessFlags flags) {
                                        to.withFlags(flags.flagsMask() & ~ClassFile.ACC_FINAL);
                                    } else {
                                        to.with(part);
                                    }
                                });
                case MethodModel method ->
                        out.transformMethod(
                                method,
                                (to, part) -> {
                                    if (part instanceof CodeModel code) {
                                        to.withCode(body -> change(code.elementList(), body));
                                    } else {
                                        to.with(part);
                                    }
                                });
                default -> out.with(element);
            }
        }

        private void change(List<CodeElement> code, CodeBuilder out) {
            for (int i = 0; i < code.size(); i++) {
                CodeElement element = code.get(i);
                boolean made = i + 1 < code.size() && isLate(code.get(i + 1), Opcode.PUTSTATIC);
                if (isLate(element, Opcode.GETSTATIC)) {
                    FieldInstruction field = (FieldInstruction) element;
                    out.invokestatic(self, getter(field.name().stringValue()), GETTER);
                } else if (isLate(element, Opcode.PUTSTATIC)) {
                    // What is left of the four is the name, which may stay unused.
                    out.pop();
                } else if (!made) {
                    out.with(element);
                }
            }
        }

        private boolean isLate(CodeElement element, Opcode opcode) {
            return isOfLogger(element)
                    && element instanceof FieldInstruction field
                    && field.opcode() == opcode
                    && field.owner().asSymbol().equals(self)
                    && late.contains(field.name().stringValue());
        }

        private static String getter(String field) {
            return "late$" + field;
        }

        @Override
        public void atEnd(ClassBuilder out) {
            for (String field : late) {
                out.withMethodBody(getter(field), GETTER, FLAGS, code -> get(code, field));
            }
        }

        private void get(CodeBuilder code, String field) {
            Label present = code.newLabel();
            code.getstatic(self, field, LOGGER).ifnonnull(present);
            code.ldc(self).invokevirtual(ConstantDescs.CD_Class, "getName", NAME);
            code.invokestatic(LOGGER, "getLogger", BY_NAME).putstatic(self, field, LOGGER);
            code.labelBinding(present).getstatic(self, field, LOGGER).areturn();
        }
    }
}
