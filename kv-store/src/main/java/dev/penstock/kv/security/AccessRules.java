package dev.penstock.kv.security;

import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an access file says; one rule a line, {@code #} begins a comment, nothing is allowed that no
 * line allows:
 *
 * <pre>
 * grant read  on lineitem, orders to anna     # the name of a certificate (its CN) or of a token
 * grant write on "my table" to etl            # write includes read, admin includes write
 * grant admin on * to root                    # all tables, those to come too; quoted, a name
 * token etl sha256:0123…                      # as 'penstock certificates token etl' prints it
 * revoke db3                                  # its certificates and tokens count no more
 * </pre>
 *
 * Table names are compared without regard to case. Immutable.
 */
public final class AccessRules {
    /** All tables, where it is not quoted. */
    private static final String ALL = "*";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");
    private static final Pattern GRANT =
            Pattern.compile("grant\\s+(read|write|admin)\\s+on\\s+(.+?)\\s+to\\s+(\\S+)");
    private static final Pattern TOKEN = Pattern.compile("token\\s+(\\S+)\\s+(\\S+)");
    private static final Pattern REVOKE = Pattern.compile("revoke\\s+(\\S+)");
    private static final Pattern TABLE =
            Pattern.compile("\\s*(?:\"([^\"]+)\"|([^\\s\",]+))\\s*(,|$)");

    /** Of all tables, apart from those of single ones, which may have any name. */
    private final Map<String, Role> general = new HashMap<>();

    private final Map<String, Map<String, Role>> grants = new HashMap<>();
    private final List<Peer.Bearer> tokens = new ArrayList<>();
    private final Set<String> revoked = new HashSet<>();

    private AccessRules() {}

    /** Guests may write, each its table. */
    static AccessRules of(List<Guests.Guest> guests) {
        AccessRules rules = new AccessRules();
        for (Guests.Guest guest : guests) {
            rules.tokens.add(guest.bearer());
            rules.grantOne(Role.WRITE, guest.table(), guest.bearer().name());
        }
        return rules;
    }

    /**
     * @param source the file, for messages
     * @throws PenstockException of category USAGE that names the line
     */
    static AccessRules parse(String text, String source) {
        AccessRules rules = new AccessRules();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            String rule = withoutComment(line).strip();
            if (!rule.isEmpty() && !rules.add(rule)) {
                throw PenstockException.usage(
                        source
                                + " line "
                                + number
                                + " is no rule; expected 'grant read|write|admin on TABLE,… to"
                                + " NAME', 'token NAME sha256:…' or 'revoke NAME'");
            }
        }
        return rules;
    }

    /** Names may have none, but quoted tables may. */
    private static String withoutComment(String line) {
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            quoted ^= c == '"';
            if (c == '#' && !quoted) {
                return line.substring(0, i);
            }
        }
        return line;
    }

    private boolean add(String rule) {
        Matcher grant = GRANT.matcher(rule);
        if (grant.matches()) {
            Role role = Role.valueOf(grant.group(1).toUpperCase(Locale.ROOT));
            return isName(grant.group(3)) && grant(role, grant.group(2), grant.group(3));
        }
        Matcher token = TOKEN.matcher(rule);
        if (token.matches()) {
            return isName(token.group(1)) && token(token.group(1), token.group(2));
        }
        Matcher revoke = REVOKE.matcher(rule);
        return revoke.matches() && isName(revoke.group(1)) && revoked.add(revoke.group(1));
    }

    private boolean grant(Role role, String tables, String name) {
        Matcher table = TABLE.matcher(tables);
        int end = 0;
        boolean more = true;
        while (more && table.find() && table.start() == end) {
            String quoted = table.group(1);
            if (quoted != null) {
                grantOne(role, quoted, name);
            } else if (table.group(2).equals(ALL)) {
                general.merge(name, role, AccessRules::higher);
            } else {
                grantOne(role, table.group(2), name);
            }
            end = table.end();
            more = !table.group(3).isEmpty();
        }
        return !more && end == tables.length();
    }

    private void grantOne(Role role, String table, String name) {
        grants.computeIfAbsent(name, _ -> new HashMap<>())
                .merge(folded(table), role, AccessRules::higher);
    }

    private static Role higher(Role a, Role b) {
        return a.includes(b) ? a : b;
    }

    private boolean token(String name, String hash) {
        try {
            return tokens.add(new Peer.Bearer(name, TokenHash.parse(hash)));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Whether certificates and tokens may have the name. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** Who has the token; all are compared, so that the time says nothing. */
    Optional<Peer.Bearer> bearer(TokenHash token) {
        Peer.Bearer found = null;
        for (Peer.Bearer known : tokens) {
            if (known.token().equals(token)) {
                found = known;
            }
        }
        return Optional.ofNullable(found).filter(known -> !revoked(known.name()));
    }

    /** Whether the token is still that name's. */
    boolean lists(Peer.Bearer bearer) {
        return tokens.contains(bearer);
    }

    boolean revoked(String name) {
        return revoked.contains(name);
    }

    /** Whether a name may do what concerns all tables. */
    boolean allowsAll(String name, Role role) {
        return includes(general.get(name), role);
    }

    /** The same for one table. */
    boolean allows(String name, Role role, String table) {
        Map<String, Role> granted = grants.getOrDefault(name, Map.of());
        return allowsAll(name, role) || includes(granted.get(folded(table)), role);
    }

    private static boolean includes(@Nullable Role granted, Role wanted) {
        return granted != null && granted.includes(wanted);
    }

    /** As the leader compares names of tables. */
    private static String folded(String table) {
        return table.toLowerCase(Locale.ROOT);
    }
}
