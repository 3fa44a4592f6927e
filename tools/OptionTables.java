import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Makes plain objects of the annotations that declare commands and options. To read annotations
 * Java makes a class for each type of them in each process, some hundredths of a second for every
 * command. The build knows them all, so it writes them into {@code AnnotationTable}, each an object
 * of a class that implements its type, and makes the command line parser ask {@code
 * KnownAnnotations} instead of the classes, fields and methods themselves.
 *
 * <p>Show all classes with {@link #look} first, then change each with {@link #apply} and put those
 * of {@link #made} beside the table.
 */
final class OptionTables {
    /** Of the parser's classes, and of the annotations' types. */
    static final String PARSER = "picocli/";

    /** Of the classes that the parser asks. */
    static final String START = "dev/penstock/cli/start/";

    /** The name of the table's class. */
    static final String TABLE = START + "AnnotationTable";

    private static final ClassDesc KNOWN = ClassDesc.ofInternalName(START + "KnownAnnotations");
    private static final ClassDesc OBJECTS = ConstantDescs.CD_Object.arrayType();
    private static final ClassDesc ANNOTATION = ClassDesc.of("java.lang.annotation", "Annotation");
    private static final ClassDesc ELEMENT = ClassDesc.of("java.lang.reflect", "AnnotatedElement");
    private static final ClassDesc METHOD = ClassDesc.of("java.lang.reflect", "Method");
    private static final MethodTypeDesc OF_PARAMETERS = MethodTypeDesc.of(ANNOTATION.arrayType(2));
    private static final MethodTypeDesc GET = MethodTypeDesc.of(ANNOTATION, ConstantDescs.CD_Class);
    private static final MethodTypeDesc HAS =
            MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_Class);
    private static final MethodTypeDesc NO_ARGUMENTS = MethodTypeDesc.of(OBJECTS);
    private static final MethodTypeDesc OF_NAME =
            MethodTypeDesc.of(OBJECTS, ConstantDescs.CD_String);
    private static final MethodTypeDesc OF_VALUES =
            MethodTypeDesc.of(ConstantDescs.CD_void, OBJECTS);
    private static final int PUBLIC_STATIC = ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC;
    private static final int PRIVATE_STATIC =
            ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC;

    private final ClassFile format;

    /** Types of annotations. */
    private final Map<ClassDesc, Type> types = new LinkedHashMap<>();

    /** What is annotated, by the name of the class. */
    private final Map<String, List<Pair>> annotated = new LinkedHashMap<>();

    private boolean hasTable;

    /** A type of annotations, with its attributes in the order of their places in an object. */
    private record Type(ClassDesc type, List<Attribute> attributes) {
        ClassDesc plain() {
            String name = type.displayName();
            return ClassDesc.ofInternalName(
                    PARSER + "Known" + name.substring(name.lastIndexOf('$') + 1));
        }

        int placeOf(String attribute) {
            for (int i = 0; i < attributes.size(); i++) {
                if (attributes.get(i).name().equals(attribute)) return i;
            }
            throw new IllegalStateException(type.displayName() + " has no " + attribute);
        }
    }

    private record Attribute(String name, ClassDesc type, List<AnnotationValue> byDefault) {}

    /**
     * One annotation of a field; of a method or of one of its parameters, whose names end with
     * parentheses; or of the class if the name is empty. None for a method that is not told by its
     * name.
     */
    private record Pair(String name, List<Annotation> annotation) {}

    OptionTables(ClassFile format) {
        this.format = format;
    }

    /**
     * Whether a class, as text, is the table, or a class beside it, or has to do with the parser.
     */
    static boolean concerns(String words) {
        return words.contains(PARSER) || words.contains(START);
    }

    /** Notes annotations, and types of them. */
    void look(byte[] content) {
        ClassModel model = format.parse(content);
        String name = model.thisClass().asInternalName();
        hasTable |= isTable(model);
        if (!name.startsWith(PARSER)) {
            List<Pair> pairs = pairs(model);
            if (!pairs.isEmpty()) annotated.put(name.replace('/', '.'), pairs);
        } else if (model.flags().has(AccessFlag.ANNOTATION)) {
            List<Attribute> attributes = new ArrayList<>();
            for (MethodModel method : model.methods()) {
                if (method.flags().has(AccessFlag.STATIC)) continue;
                attributes.add(
                        new Attribute(
                                method.methodName().stringValue(),
                                method.methodTypeSymbol().returnType(),
                                method.findAttribute(Attributes.annotationDefault())
                                        .map(value -> List.of(value.defaultValue()))
                                        .orElse(List.of())));
            }
            ClassDesc type = model.thisClass().asSymbol();
            types.put(type, new Type(type, attributes));
        }
    }

    private static boolean isTable(ClassModel model) {
        return model.thisClass().asInternalName().equals(TABLE);
    }

    private static List<Pair> pairs(ClassModel model) {
        List<Pair> pairs = new ArrayList<>();
        model.findAttribute(Attributes.runtimeVisibleAnnotations())
                .ifPresent(all -> add(pairs, "", all.annotations()));
        for (FieldModel field : model.fields()) {
            field.findAttribute(Attributes.runtimeVisibleAnnotations())
                    .ifPresent(
                            all -> add(pairs, field.fieldName().stringValue(), all.annotations()));
        }
        for (MethodModel method : model.methods()) {
            addMethod(pairs, method, model.methods());
        }
        return pairs;
    }

    /** Of methods whose name is another's too Java is asked. */
    private static void addMethod(List<Pair> to, MethodModel method, List<MethodModel> all) {
        List<Annotation> annotations =
                method.findAttribute(Attributes.runtimeVisibleAnnotations())
                        .map(found -> found.annotations().stream().filter(OptionTables::isOwn))
                        .orElse(Stream.empty())
                        .toList();
        if (annotations.isEmpty()) return;
        String name = method.methodName().stringValue();
        if (all.stream().filter(each -> each.methodName().equalsString(name)).count() > 1) {
            to.add(new Pair(name + "()", List.of()));
            return;
        }
        add(to, name + "()", annotations);
        method.findAttribute(Attributes.runtimeVisibleParameterAnnotations())
                .ifPresent(found -> {
                    for (int i = 0; i < found.parameterAnnotations().size(); i++) {
                        String place = name + "(" + i + ")";
                        add(to, place, found.parameterAnnotations().get(i));
                    }
                });
    }

    private static void add(List<Pair> to, String name, List<Annotation> annotations) {
        for (Annotation each : annotations) {
            if (isOwn(each)) to.add(new Pair(name, List.of(each)));
        }
    }

    /** Whether it is one of the parser's. */
    static boolean isOwn(Annotation annotation) {
        return annotation.className().stringValue().startsWith("L" + PARSER);
    }

    /** The class as it is to be; the same array if there is nothing to change. */
    byte[] apply(byte[] content) {
        if (!hasTable) return content;
        ClassModel model = format.parse(content);
        if (isTable(model)) return format.transformClass(model, new Table());
        return Calls.replace(format, content, PARSER, OptionTables::asks, OptionTables::askTable);
    }

    /** Whether the JDK is asked for annotations. */
    private static boolean asks(InvokeInstruction call) {
        return call.opcode() != Opcode.INVOKESTATIC
                && call.owner().asInternalName().startsWith("java/lang/")
                && (call.name().equalsString("getAnnotation") && call.typeSymbol().equals(GET)
                        || call.name().equalsString("isAnnotationPresent")
                                && call.typeSymbol().equals(HAS)
                        || call.name().equalsString("getParameterAnnotations")
                                && call.typeSymbol().equals(OF_PARAMETERS));
    }

    private static void askTable(CodeBuilder code, InvokeInstruction call) {
        MethodTypeDesc asked = call.typeSymbol();
        if (asked.equals(OF_PARAMETERS)) {
            code.invokestatic(KNOWN, "ofParameters", asked.insertParameterTypes(0, METHOD));
        } else {
            String name = asked.equals(GET) ? "get" : "has";
            code.invokestatic(KNOWN, name, asked.insertParameterTypes(0, ELEMENT));
        }
    }

    /** Classes for the jar of the table, by the names of their files. */
    Map<String, byte[]> made() {
        Map<String, byte[]> made = new LinkedHashMap<>();
        for (Type type : types.values()) {
            made.put(PARSER + type.plain().displayName() + ".class", plain(type));
        }
        return made;
    }

    // A class of plain annotations: an array of values, and a method for each

    private byte[] plain(Type type) {
        ClassDesc self = type.plain();
        return format.build(
                self,
                out -> {
                    out.withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL | ClassFile.ACC_SUPER);
                    out.withInterfaceSymbols(type.type());
                    out.withField("values", OBJECTS, ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL);
                    out.withMethodBody(
                            ConstantDescs.INIT_NAME,
                            OF_VALUES,
                            ClassFile.ACC_PUBLIC,
                            code -> construct(code, self));
                    out.withMethodBody(
                            "defaults",
                            NO_ARGUMENTS,
                            PUBLIC_STATIC,
                            code -> defaults(code, type.attributes()));
                    out.withMethodBody(
                            "annotationType",
                            MethodTypeDesc.of(ConstantDescs.CD_Class),
                            ClassFile.ACC_PUBLIC,
                            code -> code.loadConstant(type.type()).areturn());
                    for (int i = 0; i < type.attributes().size(); i++) {
                        int place = i;
                        Attribute attribute = type.attributes().get(i);
                        out.withMethodBody(
                                attribute.name(),
                                MethodTypeDesc.of(attribute.type()),
                                ClassFile.ACC_PUBLIC,
                                code -> value(code, self, place, attribute.type()));
                    }
                });
    }

    private static void construct(CodeBuilder code, ClassDesc self) {
        code.aload(0);
        code.invokespecial(
                ConstantDescs.CD_Object, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void);
        code.aload(0).aload(1).putfield(self, "values", OBJECTS).return_();
    }

    private static void defaults(CodeBuilder code, List<Attribute> attributes) {
        code.loadConstant(attributes.size()).anewarray(ConstantDescs.CD_Object);
        for (int i = 0; i < attributes.size(); i++) {
            Attribute attribute = attributes.get(i);
            for (AnnotationValue value : attribute.byDefault()) {
                put(code, i, value, attribute.type());
            }
        }
        code.areturn();
    }

    private static void value(CodeBuilder code, ClassDesc self, int place, ClassDesc type) {
        code.aload(0).getfield(self, "values", OBJECTS).loadConstant(place).aaload();
        Calls.unbox(code, type);
        if (type.isArray()) {
            MethodTypeDesc copy = MethodTypeDesc.of(ConstantDescs.CD_Object);
            code.invokevirtual(type, "clone", copy).checkcast(type);
        }
        code.return_(TypeKind.from(type));
    }

    /** Puts a value into the array on top of the stack, which stays there. */
    private static void put(CodeBuilder code, int place, AnnotationValue value, ClassDesc type) {
        code.dup().loadConstant(place);
        load(code, value, type);
        code.aastore();
    }

    private static void load(CodeBuilder code, AnnotationValue value, ClassDesc type) {
        switch (value) {
            case AnnotationValue.OfString text -> code.loadConstant(text.stringValue());
            case AnnotationValue.OfClass constant -> code.loadConstant(constant.classSymbol());
            case AnnotationValue.OfEnum constant ->
                    code.getstatic(
                            constant.classSymbol(),
                            constant.constantName().stringValue(),
                            constant.classSymbol());
            case AnnotationValue.OfBoolean bool -> {
                code.loadConstant(bool.booleanValue() ? 1 : 0);
                Calls.box(code, type);
            }
            case AnnotationValue.OfInt number -> {
                code.loadConstant(number.intValue());
                Calls.box(code, type);
            }
            case AnnotationValue.OfChar character -> {
                code.loadConstant(character.charValue());
                Calls.box(code, type);
            }
            case AnnotationValue.OfArray array -> {
                code.loadConstant(array.values().size()).anewarray(type.componentType());
                for (int i = 0; i < array.values().size(); i++) {
                    put(code, i, array.values().get(i), type.componentType());
                }
            }
            default -> throw new IllegalStateException("no place in the table for " + value);
        }
    }

    // The table

    /** Gives the table its body. */
    private final class Table implements ClassTransform {
        private static final String PART = "table$";

        @Override
        public void accept(ClassBuilder out, ClassElement element) {
            if (!(element instanceof MethodModel method)) {
                out.with(element);
            } else if (method.methodName().equalsString("of")) {
                out.withMethodBody("of", OF_NAME, ClassFile.ACC_STATIC, this::find);
            } else if (!method.methodName().stringValue().startsWith(PART)) {
                out.with(element);
            }
        }

        private void find(CodeBuilder code) {
            int part = 0;
            for (String name : annotated.keySet()) {
                Label next = code.newLabel();
                code.loadConstant(name).aload(0);
                code.invokevirtual(
                        ConstantDescs.CD_String,
                        "equals",
                        MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_Object));
                code.ifeq(next).invokestatic(table(), PART + part++, NO_ARGUMENTS).areturn();
                code.labelBinding(next);
            }
            code.iconst_0().anewarray(ConstantDescs.CD_Object).areturn();
        }

        @Override
        public void atEnd(ClassBuilder out) {
            int part = 0;
            for (List<Pair> pairs : annotated.values()) {
                out.withMethodBody(
                        PART + part++, NO_ARGUMENTS, PRIVATE_STATIC, code -> list(code, pairs));
            }
        }

        private static ClassDesc table() {
            return ClassDesc.ofInternalName(TABLE);
        }

        private void list(CodeBuilder code, List<Pair> pairs) {
            code.loadConstant(2 * pairs.size()).anewarray(ConstantDescs.CD_Object);
            for (int i = 0; i < pairs.size(); i++) {
                Pair pair = pairs.get(i);
                code.dup().loadConstant(2 * i).loadConstant(pair.name()).aastore();
                code.dup().loadConstant(2 * i + 1);
                if (pair.annotation().isEmpty()) {
                    code.loadConstant("");
                } else {
                    annotation(code, pair.annotation().getFirst());
                }
                code.aastore();
            }
            code.areturn();
        }

        private void annotation(CodeBuilder code, Annotation annotation) {
            Type type = types.get(annotation.classSymbol());
            if (type == null) {
                throw new IllegalStateException("the parser has no " + annotation.className());
            }
            code.new_(type.plain()).dup();
            code.invokestatic(type.plain(), "defaults", NO_ARGUMENTS);
            for (AnnotationElement element : annotation.elements()) {
                int place = type.placeOf(element.name().stringValue());
                put(code, place, element.value(), type.attributes().get(place).type());
            }
            code.invokespecial(type.plain(), ConstantDescs.INIT_NAME, OF_VALUES);
        }
    }
}
