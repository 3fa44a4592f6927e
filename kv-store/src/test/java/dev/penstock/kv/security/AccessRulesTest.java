package dev.penstock.kv.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AccessRulesTest {
    private static AccessRules rules(String... lines) {
        return AccessRules.parse(String.join("\n", lines), "the access file f");
    }

    @Test
    void nothing_is_allowed_that_no_line_allows() {
        AccessRules rules = rules("grant read on orders to anna", "# grant admin on * to eve");
        assertThat(rules.allows("anna", Role.READ, "orders")).isTrue();
        assertThat(rules.allows("anna", Role.WRITE, "orders")).isFalse();
        assertThat(rules.allows("anna", Role.READ, "order")).isFalse();
        assertThat(rules.allowsAll("anna", Role.READ)).isFalse();
        assertThat(rules.allows("ann", Role.READ, "orders")).isFalse();
        assertThat(rules.allows("eve", Role.READ, "orders")).isFalse();
        assertThat(rules("").allows("anna", Role.READ, "orders")).isFalse();
    }

    @Test
    void a_role_includes_those_before_it_and_the_highest_one_granted_counts() {
        AccessRules rules =
                rules(
                        "grant admin on a to x",
                        "grant read on a to x",
                        "grant write on * to y",
                        "grant read on b to y");
        assertThat(rules.allows("x", Role.ADMIN, "a")).isTrue();
        assertThat(rules.allows("x", Role.READ, "a")).isTrue();
        assertThat(rules.allows("x", Role.READ, "b")).isFalse();
        assertThat(rules.allows("y", Role.WRITE, "b")).isTrue();
        assertThat(rules.allows("y", Role.ADMIN, "b")).isFalse();
        assertThat(rules.allowsAll("y", Role.WRITE)).isTrue();
        assertThat(rules.allowsAll("y", Role.ADMIN)).isFalse();
    }

    @Test
    void a_table_may_be_named_as_all_tables_are() {
        Guests guests = new Guests();
        guests.admit("*");
        for (AccessRules rules :
                new AccessRules[] {guests.rules(), rules("grant write on \"*\" to guest-1")}) {
            assertThat(rules.allows("guest-1", Role.WRITE, "*")).isTrue();
            assertThat(rules.allows("guest-1", Role.READ, "salaries")).isFalse();
            assertThat(rules.allowsAll("guest-1", Role.READ)).isFalse();
        }
    }

    @Test
    void several_tables_and_quoted_names_and_cases_are_understood() {
        AccessRules rules =
                rules("  grant\twrite on Orders , \"my, #table\",x to etl  # nightly\r");
        assertThat(rules.allows("etl", Role.WRITE, "ORDERS")).isTrue();
        assertThat(rules.allows("etl", Role.WRITE, "My, #Table")).isTrue();
        assertThat(rules.allows("etl", Role.READ, "x")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "grant",
                "grant all on t to x",
                "grant read t to x",
                "grant read on to x",
                "grant read on t to",
                "grant read on t,,u to x",
                "grant read on t, to x",
                "grant read on \"t to x",
                "grant read on t u to x",
                "grant read on t to x y",
                "grant read on t to ../x",
                "GRANT READ ON t TO x",
                "token x",
                "token x 123",
                "token x sha256:12",
                "token x md5:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                "token x sha256:g123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                "revoke",
                "revoke a b",
                "allow everything"
            })
    void a_line_that_is_no_rule_is_refused_with_its_number(String line) {
        assertThatThrownBy(() -> rules("# first", line))
                .isInstanceOf(PenstockException.class)
                .hasMessageStartingWith("the access file f line 2 is no rule");
    }

    @Test
    void a_token_is_known_by_its_hash_until_its_holder_is_revoked() {
        Secret secret = Secret.random();
        String line = "token etl " + secret.hash();
        assertThat(rules(line).bearer(secret.hash()))
                .contains(new Peer.Bearer("etl", secret.hash()));
        assertThat(rules(line).bearer(Secret.random().hash())).isEmpty();
        assertThat(rules(line, "revoke etl").bearer(secret.hash())).isEmpty();
        assertThat(line).doesNotContain(secret.reveal());
        assertThat(secret.toString()).doesNotContain(secret.reveal());
    }
}
