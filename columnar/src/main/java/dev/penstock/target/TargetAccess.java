package dev.penstock.target;

/**
 * How a target is reached and what its client proves itself with, in the target's own words; it may
 * hold a secret and shows in no message.
 *
 * @param text empty if the address says all
 */
public record TargetAccess(String text) {
    public static final TargetAccess NONE = new TargetAccess("");

    @Override
    public String toString() {
        return "TargetAccess[hidden]";
    }
}
