import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Interfaces;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lets the command line parser reach the fields of options without reflection, for which Java makes
 * classes at run time: some ten of them before each command. A class with such fields becomes one
 * of {@code KnownFields.Owner}, which reads and writes them by their names, and the parser asks
 * {@code KnownFields} instead of {@code Field}.
 *
 * <p>Show all classes with {@link #look} first, then change each with {@link #apply}.
 */
final class OptionFields {
    private static final ClassDesc FIELDS =
            ClassDesc.ofInternalName(OptionTables.START + "KnownFields");
    private static final ClassDesc OWNER =
            ClassDesc.ofInternalName(OptionTables.START + "KnownFields$Owner");
    private static final ClassDesc FIELD = ClassDesc.of("java.lang.reflect", "Field");
    private static final MethodTypeDesc GET =
            MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_Object);
    private static final MethodTypeDesc SET =
            MethodTypeDesc.of(
                    ConstantDescs.CD_void, ConstantDescs.CD_Object, ConstantDescs.CD_Object);
    private static final MethodTypeDesc READ =
            MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_String);
    private static final MethodTypeDesc WRITE =
            MethodTypeDesc.of(
                    ConstantDescs.CD_boolean, ConstantDescs.CD_String, ConstantDescs.CD_Object);
    private static final MethodTypeDesc EQUALS =
            MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_Object);

    private final ClassFile format;
    private final Map<ClassDesc, List<Option>> owners = new HashMap<>();
    private boolean canAsk;

    private record Option(String name, ClassDesc type, boolean canBeSet) {}

    OptionFields(ClassFile format) {
        this.format = format;
    }

    /** Notes a class whose fields are options. */
    void look(byte[] content) {
        ClassModel model = format.parse(content);
        String name = model.thisClass().asInternalName();
        canAsk |= model.thisClass().asSymbol().equals(FIELDS);
        List<Option> options = new ArrayList<>();
        for (FieldModel field : model.fields()) {
            if (isOption(field) && !field.flags().has(AccessFlag.STATIC)) {
                options.add(
                        new Option(
                                field.fieldName().stringValue(),
                                field.fieldTypeSymbol(),
                                !field.flags().has(AccessFlag.FINAL)));
            }
        }
        if (!name.startsWith(OptionTables.PARSER) && !options.isEmpty()) {
            owners.put(model.thisClass().asSymbol(), options);
        }
    }

    private static boolean isOption(FieldModel field) {
        return field.findAttribute(Attributes.runtimeVisibleAnnotations())
                .filter(all -> all.annotations().stream().anyMatch(OptionTables::isOwn))
                .isPresent();
    }

    /** The class as it is to be; the same array if there is nothing to change. */
    byte[] apply(byte[] content) {
        if (!canAsk) return content;
        ClassModel model = format.parse(content);
        List<Option> options = owners.get(model.thisClass().asSymbol());
        if (options != null && !isOwner(model)) {
            return format.transformClass(model, new Owner(model, options));
        }
        return Calls.replace(
                format, content, OptionTables.PARSER, OptionFields::reaches, OptionFields::ask);
    }

    private static boolean isOwner(ClassModel model) {
        return model.interfaces().stream().anyMatch(each -> each.asSymbol().equals(OWNER));
    }

    private static boolean reaches(InvokeInstruction call) {
        return call.opcode() == Opcode.INVOKEVIRTUAL
                && call.owner().asSymbol().equals(FIELD)
                && (call.name().equalsString("get") && call.typeSymbol().equals(GET)
                        || call.name().equalsString("set") && call.typeSymbol().equals(SET));
    }

    private static void ask(CodeBuilder code, InvokeInstruction call) {
        MethodTypeDesc type = call.typeSymbol().insertParameterTypes(0, FIELD);
        code.invokestatic(FIELDS, call.name().stringValue(), type);
    }

    /** Gives a class the two methods of an owner. */
    private final class Owner implements ClassTransform {
        private static final int FLAGS = ClassFile.ACC_PUBLIC | ClassFile.ACC_SYNTHETIC;

        private final ClassModel model;
        private final ClassDesc self;
        private final List<Option> options;

        Owner(ClassModel model, List<Option> options) {
            this.model = model;
            this.self = model.thisClass().asSymbol();
            this.options = options;
        }

        @Override
        public void accept(ClassBuilder out, ClassElement element) {
            if (!(element instanceof Interfaces)) out.with(element);
        }

        @Override
        public void atEnd(ClassBuilder out) {
            List<ClassEntry> interfaces = new ArrayList<>(model.interfaces());
            interfaces.add(out.constantPool().classEntry(OWNER));
            out.withInterfaces(interfaces);
            out.withMethodBody("readOption", READ, FLAGS, this::read);
            out.withMethodBody("writeOption", WRITE, FLAGS, this::write);
        }

        private void read(CodeBuilder code) {
            for (Option option : options) {
                Label next = ifNamed(code, option);
                code.aload(0).getfield(self, option.name(), option.type());
                if (option.type().isPrimitive()) {
                    Calls.box(code, option.type());
                }
                code.areturn().labelBinding(next);
            }
            if (above() == null) {
                code.getstatic(FIELDS, "UNKNOWN", ConstantDescs.CD_Object).areturn();
            } else {
                code.aload(0).aload(1).invokespecial(above(), "readOption", READ).areturn();
            }
        }

        private void write(CodeBuilder code) {
            for (Option option : options) {
                if (!option.canBeSet()) continue;
                Label next = ifNamed(code, option);
                code.aload(0).aload(2);
                Calls.unbox(code, option.type());
                code.putfield(self, option.name(), option.type());
                code.iconst_1().ireturn().labelBinding(next);
            }
            if (above() == null) {
                code.iconst_0().ireturn();
            } else {
                code.aload(0).aload(1).aload(2);
                code.invokespecial(above(), "writeOption", WRITE).ireturn();
            }
        }

        /** Goes on if the first argument is the name of the option, else to the label. */
        private static Label ifNamed(CodeBuilder code, Option option) {
            Label next = code.newLabel();
            code.loadConstant(option.name()).aload(1);
            code.invokevirtual(ConstantDescs.CD_String, "equals", EQUALS).ifeq(next);
            return next;
        }

        /** The class above, if that is an owner too; else null. */
        private ClassDesc above() {
            ClassDesc above = model.superclass().orElseThrow().asSymbol();
            return owners.containsKey(above) ? above : null;
        }
    }
}
