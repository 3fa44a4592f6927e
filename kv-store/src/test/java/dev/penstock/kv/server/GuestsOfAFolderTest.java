package dev.penstock.kv.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.client.load.StoreLoadTargetProvider;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.kv.security.Secret;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.LoadTicket;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/**
 * While a load has others take part, its folder's store listens on loopback, where every user of
 * the machine can knock: only who brings that load's token is let in, and only to its table.
 */
@Timeout(60)
final class GuestsOfAFolderTest {
    @TempDir private Path folder;

    private Penstock store;

    @BeforeEach
    void openStore() {
        store = Penstock.open(folder);
        store.createTable(Orders.SCHEMA);
        store.createTable(Ddl.parseCreateTable("CREATE TABLE salaries (id BIGINT PRIMARY KEY)"));
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    private LoadSession begin() {
        return store.loadTarget().begin(Orders.request(), ack -> {});
    }

    private static Penstock connect(LoadTicket ticket, ClientSecurity security) {
        return Penstock.connect(ticket.address().substring("tcp:".length()), security);
    }

    private static Penstock guest(LoadTicket ticket) {
        return connect(ticket, ClientSecurity.of(ticket.access()));
    }

    private static void assertDenied(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.DENIED))
                .hasMessageContaining(message);
    }

    @Test
    void who_brings_no_token_or_a_wrong_one_is_refused_and_the_load_goes_on() throws Exception {
        try (LoadSession driver = begin()) {
            LoadTicket ticket = driver.invite();
            assertDenied(
                    () -> connect(ticket, ClientSecurity.PLAIN),
                    "this server wants a token: the store is open in the process of a load");
            assertDenied(
                    () -> connect(ticket, ClientSecurity.ofGuest(Secret.random())),
                    "the token is not one of this server's");
            try (LoadTarget target =
                            new StoreLoadTargetProvider().open(ticket.address(), ticket.access());
                    LoadSession worker = target.attach(ticket, ack -> {})) {
                assertThat(target.table("orders")).isPresent();
                Orders.send(worker, 0, 2, 2, 2);
            }
            driver.finish(receipt -> {});
            driver.publish("");
        }
        assertThat(store.table("orders").count()).isEqualTo(2L * Orders.CHUNK_ROWS);
    }

    @Test
    void a_guest_may_write_the_loads_table_and_nothing_else() {
        try (LoadSession driver = begin();
                Penstock guest = guest(driver.invite())) {
            guest.table("orders").put(Orders.rows(1));
            assertThat(guest.table("orders").count()).isEqualTo(1);
            assertThat(guest.tables()).containsExactly(Orders.SCHEMA);
            assertDenied(
                    () -> guest.table("salaries"),
                    "guest-1 has not the role read for table salaries");
            assertDenied(
                    () -> guest.dropTable("orders"),
                    "guest-1 has not the role admin for table orders");
            assertDenied(guest::status, "guest-1 has not the role read for all tables");
            assertDenied(
                    () -> {
                        var cluster = guest.cluster();
                        cluster.locate(cluster.metadata().servers().getFirst())
                                .revokeLease("load", List.of());
                    },
                    "guest-1 is no server of this cluster");
        }
    }

    @Test
    void a_token_ends_with_its_load_although_another_load_still_listens() {
        try (LoadSession other = begin()) {
            LoadTicket open = other.invite();
            LoadTicket ended;
            Penstock guest;
            try (LoadSession driver = begin()) {
                ended = driver.invite();
                guest = guest(ended);
                assertThat(guest.table("orders").count()).isZero();
            }
            assertThat(ended.address()).isEqualTo(open.address());
            try (Penstock left = guest) {
                assertDenied(left::tables, "the token of guest-2 does not count any more");
            }
            assertDenied(() -> guest(ended), "the token is not one of this server's");
            try (Penstock still = guest(open)) {
                assertThat(still.table("orders").count()).isZero();
            }
        }
    }

    @Test
    void each_load_has_a_token_of_256_bits_that_no_text_shows() {
        try (LoadSession first = begin();
                LoadSession second = begin()) {
            List<String> tokens =
                    List.of(token(first.invite()), token(first.invite()), token(second.invite()));
            assertThat(tokens.get(0)).hasSize(43).isEqualTo(tokens.get(1));
            assertThat(tokens.get(2)).hasSize(43).isNotEqualTo(tokens.get(0));
            assertThat(first.invite() + " " + ClientSecurity.of(first.invite().access()))
                    .doesNotContain(tokens.get(0));
        }
    }

    private static String token(LoadTicket ticket) {
        return ClientSecurity.of(ticket.access()).proof().orElseThrow().reveal();
    }
}
