package dev.penstock.cli.start;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.lang.annotation.Annotation;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

class KnownClassTest {
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    private @interface Any {}

    private static final Annotation ONE = annotation(Documented.class);
    private static final Annotation TWO = annotation(Retention.class);
    private static final Annotation THREE = annotation(Target.class);

    private static Annotation annotation(Class<? extends Annotation> type) {
        Annotation found = Any.class.getAnnotation(type);
        if (found == null) {
            throw new IllegalStateException("there is no " + type);
        }
        return found;
    }

    @Test
    void eachMemberHasItsOwn() {
        Object[] pairs = {
            "", ONE, "field", TWO, "field", THREE, "same", ONE, "same()", TWO, "same(0)", THREE,
            "same(2)", ONE, "same(2)", TWO
        };
        KnownClass known = new KnownClass(pairs);
        assertThat(known.isUnknown()).isFalse();
        assertThat(known.own()).containsExactly(ONE);
        assertThat(known.ofField("field")).containsExactly(TWO, THREE);
        assertThat(known.ofField("same")).containsExactly(ONE);
        assertThat(known.ofMethod("same")).containsExactly(TWO);
        assertThat(known.ofParameter("same", 0)).containsExactly(THREE);
        assertThat(known.ofParameter("same", 1)).isEmpty();
        assertThat(known.ofParameter("same", 2)).containsExactly(ONE, TWO);
        assertThat(known.ofField("other")).isEmpty();
        assertThat(known.ofMethod("field")).isEmpty();
        assertThat(known.isUnknown("same")).isFalse();
    }

    @Test
    void javaIsAskedForWhatTheTableLeavesOut() {
        KnownClass known = new KnownClass(new Object[] {"twice()", "", "once()", ONE});
        assertThat(known.isUnknown()).isFalse();
        assertThat(known.isUnknown("twice")).isTrue();
        assertThat(known.ofMethod("twice")).isEmpty();
        assertThat(known.isUnknown("once")).isFalse();
        KnownClass none = new KnownClass(new Object[0]);
        assertThat(none.isUnknown()).isTrue();
        assertThat(none.isUnknown("once")).isTrue();
    }
}
