package dev.penstock.kv.security;

import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * Decides who a peer is and what it may do: at the handshake and again for every request, so that a
 * change of the access file, or the end of a certificate, counts for open connections too. What is
 * not allowed is denied. Thread-safe.
 */
public final class Guard {
    /** Purpose of a certificate, of RFC 5280: to be a server in TLS. */
    private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";

    private final boolean open;
    private final @Nullable Supplier<AccessRules> access;

    /** What whoever shows nothing is told. */
    private final String wanted;

    private final Tables tables;
    private final InstantSource clock;

    /** What requests name instead of a table. */
    public interface Tables {
        /**
         * The table of a region of this server.
         *
         * @throws PenstockException if the region cannot be asked here
         */
        String ofRegion(long regionId);

        /** The table that a load goes into, if this server leads or takes part, and it runs. */
        Optional<String> ofLoad(String loadId);
    }

    /**
     * @throws PenstockException of category USAGE if the access file cannot be used
     */
    public Guard(
            ServerSecurity security, Tables tables, InstantSource clock, Consumer<String> log) {
        this(
                security.tls().isEmpty(),
                security.access().map(file -> rulesOf(file, log)).orElse(null),
                security.access().isEmpty()
                        ? "this server wants a certificate of its CA"
                        : "this server wants a certificate of its CA, or a token",
                tables,
                clock);
    }

    private Guard(
            boolean open,
            @Nullable Supplier<AccessRules> access,
            String wanted,
            Tables tables,
            InstantSource clock) {
        this.open = open;
        this.access = access;
        this.wanted = wanted;
        this.tables = tables;
        this.clock = clock;
    }

    private static Supplier<AccessRules> rulesOf(Path file, Consumer<String> log) {
        AccessFile access = new AccessFile(file, log);
        return access::rules;
    }

    /** Of a store that lets in nobody but its guests. */
    public static Guard of(Guests guests, Tables tables, InstantSource clock) {
        return new Guard(
                false,
                guests::rules,
                "this server wants a token: the store is open in the process of a load, for that"
                        + " load's own workers only; come back when the load has ended",
                tables,
                clock);
    }

    private @Nullable AccessRules rules() {
        return access == null ? null : access.get();
    }

    /**
     * Who has said hello.
     *
     * @param certificate the peer's, from TLS, which has checked that it comes from the CA
     * @param token what the peer sent, or empty text
     * @throws PenstockException of category DENIED if it has proved nothing that counts
     */
    public Peer authenticate(@Nullable X509Certificate certificate, String token) {
        if (open) {
            return new Peer.Trusted();
        }
        Peer peer;
        if (!token.isEmpty()) {
            peer = bearer(token);
        } else if (certificate != null) {
            peer = certified(certificate);
        } else {
            throw PenstockException.denied(wanted);
        }
        checkValid(peer, rules());
        return peer;
    }

    private Peer bearer(String token) {
        AccessRules rules = rules();
        if (rules == null) {
            throw PenstockException.denied("this server takes certificates, not tokens");
        }
        Secret secret;
        try {
            secret = Secret.of(token, "the hello");
        } catch (PenstockException e) {
            throw PenstockException.denied("the token is not one of this server's");
        }
        return rules.bearer(secret.hash())
                .orElseThrow(
                        () -> PenstockException.denied("the token is not one of this server's"));
    }

    private static Peer certified(X509Certificate certificate) {
        try {
            List<String> purposes = certificate.getExtendedKeyUsage();
            return new Peer.Certified(
                    nameOf(certificate),
                    purposes != null && purposes.contains(SERVER_AUTH),
                    certificate.getNotAfter().toInstant());
        } catch (CertificateParsingException e) {
            throw PenstockException.denied("the certificate cannot be read");
        }
    }

    private static String nameOf(X509Certificate certificate) {
        try {
            LdapName subject = new LdapName(certificate.getSubjectX500Principal().getName());
            List<String> names =
                    subject.getRdns().stream()
                            .filter(part -> part.getType().equalsIgnoreCase("CN"))
                            .map(Rdn::getValue)
                            .map(String::valueOf)
                            .toList();
            if (names.size() == 1 && AccessRules.isName(names.getFirst())) {
                return names.getFirst();
            }
        } catch (InvalidNameException e) {
            // As one without a name.
        }
        throw PenstockException.denied(
                "the certificate's subject has no name (CN) that can be used: 1 to 64 letters,"
                        + " digits and ._@-");
    }

    /** What was proved still counts. */
    private void checkValid(Peer peer, @Nullable AccessRules rules) {
        switch (peer) {
            case Peer.Trusted _ -> {}
            case Peer.Certified(String name, _, var end) -> {
                if (clock.instant().isAfter(end)) {
                    throw PenstockException.denied("the certificate of " + name + " has expired");
                }
                checkNotRevoked(name, rules);
            }
            case Peer.Bearer bearer -> {
                checkNotRevoked(bearer.name(), rules);
                if (rules == null || !rules.lists(bearer)) {
                    throw PenstockException.denied(
                            "the token of " + bearer.name() + " does not count any more");
                }
            }
        }
    }

    private static void checkNotRevoked(String name, @Nullable AccessRules rules) {
        if (rules != null && rules.revoked(name)) {
            throw PenstockException.denied("access of " + name + " is revoked");
        }
    }

    /**
     * @throws PenstockException of category DENIED if the peer may not do it; of another if the
     *     region that is named cannot be asked here
     */
    public void check(Peer peer, Permission needed) {
        if (peer instanceof Peer.Trusted) {
            return;
        }
        AccessRules rules = rules();
        checkValid(peer, rules);
        String name =
                switch (peer) {
                    case Peer.Trusted _ -> "";
                    case Peer.Certified(String certified, _, _) -> certified;
                    case Peer.Bearer(String bearer, _) -> bearer;
                };
        if (peer instanceof Peer.Certified(_, boolean server, _) && server) {
            return;
        }
        if (rules == null && !(needed instanceof Permission.ServerOnly)) {
            return;
        }
        switch (needed) {
            case Permission.Known _ -> {}
            case Permission.ServerOnly _ ->
                    throw PenstockException.denied(
                            name + " is no server of this cluster and may not act as one");
            case Permission.OfAllTables(Role role) -> {
                if (rules != null && !rules.allowsAll(name, role)) {
                    throw lacking(name, role, "all tables");
                }
            }
            case Permission.OfTable(Role role, String table) ->
                    check(rules, name, role, table, "table " + table);
            case Permission.OfRegions(Role role, List<Long> regionIds) -> {
                for (long regionId : regionIds) {
                    check(
                            rules,
                            name,
                            role,
                            tables.ofRegion(regionId),
                            "the table of region " + regionId);
                }
            }
            case Permission.OfLoad(Role role, String loadId) ->
                    tables.ofLoad(loadId)
                            .ifPresent(table ->
                                    check(rules, name, role, table, "the table of load " + loadId));
        }
    }

    private static void check(
            @Nullable AccessRules rules, String name, Role role, String table, String what) {
        if (rules != null && !rules.allows(name, role, table)) {
            throw lacking(name, role, what);
        }
    }

    private static PenstockException lacking(String name, Role role, String what) {
        return PenstockException.denied(name + " has not the role " + role.word() + " for " + what);
    }

    /** Whether {@link #check} would allow it. */
    public boolean allows(Peer peer, Permission needed) {
        try {
            check(peer, needed);
            return true;
        } catch (PenstockException e) {
            return false;
        }
    }
}
