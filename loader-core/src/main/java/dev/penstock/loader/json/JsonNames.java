package dev.penstock.loader.json;

import java.util.Locale;

/** How the components of records are named in JSON. */
public enum JsonNames {
    /**
     * As they are declared, for Penstock itself. They are read in {@code snake_case} too, in which
     * earlier versions wrote some of what is kept of a load; any other name is refused.
     */
    DECLARED(false) {
        @Override
        String of(String component) {
            return component;
        }
    },

    /** In {@code snake_case}, for everybody: what another version has written is read as well. */
    SNAKE_CASE(true) {
        @Override
        String of(String component) {
            StringBuilder out = new StringBuilder();
            for (int i = 0; i < component.length(); i++) {
                char c = component.charAt(i);
                if (Character.isUpperCase(c)) {
                    out.append('_');
                }
                out.append(c);
            }
            return out.toString().toLowerCase(Locale.ROOT);
        }
    };

    private final boolean leavesOut;

    JsonNames(boolean leavesOut) {
        this.leavesOut = leavesOut;
    }

    /** Whether a member is left out whose name is no component's. */
    boolean leavesOut() {
        return leavesOut;
    }

    /** The name in JSON. */
    abstract String of(String component);

    /** The component of a name in JSON: as it is, if it has no underscores. */
    static String component(String name) {
        if (name.indexOf('_') < 0) {
            return name;
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            boolean begins = name.charAt(i) == '_' && i + 1 < name.length();
            out.append(begins ? Character.toUpperCase(name.charAt(++i)) : name.charAt(i));
        }
        return out.toString();
    }
}
