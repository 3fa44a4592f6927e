package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.storage.MemoryDisk;
import dev.penstock.target.DuplicatePolicy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A region that cannot be opened is not replaced by an empty one, whatever is asked of it. */
final class DamagedRegionTest {
    @TempDir Path home;
    private MemoryDisk disk = new MemoryDisk();

    @BeforeEach
    void makeDisk() {
        disk = StoreCheck.disk(home, false);
    }

    /** What is wrong with a file of the region. */
    enum Fault {
        MANIFEST_IS_DAMAGED("manifest"),
        MANIFEST_IS_MISSING("manifest"),
        SEGMENT_IS_CUT(".seg"),
        SEGMENT_IS_MISSING(".seg");

        private final String suffix;

        Fault(String suffix) {
            this.suffix = suffix;
        }
    }

    private Path folder(long regionId) {
        return home.resolve("server/regions/region-" + regionId);
    }

    private Map<String, List<Byte>> contents(long regionId) {
        Map<String, List<Byte>> contents = new TreeMap<>();
        disk.files()
                .forEach((file, bytes) -> {
                    if (file.startsWith(folder(regionId))) {
                        contents.put(file.toString(), bytesOf(bytes));
                    }
                });
        return contents;
    }

    private static List<Byte> bytesOf(byte[] bytes) {
        Byte[] boxed = new Byte[bytes.length];
        Arrays.setAll(boxed, i -> bytes[i]);
        return List.of(boxed);
    }

    /** Returns the file's path. */
    private String damage(long regionId, Fault fault) {
        Map.Entry<Path, byte[]> found =
                disk.files().entrySet().stream()
                        .filter(entry -> entry.getKey().startsWith(folder(regionId)))
                        .filter(entry -> entry.getKey().toString().endsWith(fault.suffix))
                        .findFirst()
                        .orElseThrow();
        Path file = found.getKey();
        byte[] bytes = found.getValue();
        switch (fault) {
            case MANIFEST_IS_DAMAGED -> {
                bytes[40] ^= 1;
                disk.tamper(file, bytes);
            }
            case SEGMENT_IS_CUT -> disk.tamper(file, Arrays.copyOf(bytes, bytes.length - 1));
            case MANIFEST_IS_MISSING, SEGMENT_IS_MISSING -> disk.remove(file);
        }
        return file.toString();
    }

    private static void assertNamed(ThrowingCallable call, String file) {
        assertThatThrownBy(call)
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining(file)
                .extracting(e -> ((PenstockException) e).category())
                .isEqualTo(ErrorCategory.CORRUPT);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsAskedOfADamagedRegionIsRefusedAndItsFilesStay(Fault fault) {
        try (TestStore store = StoreCheck.open(home, disk, StoreCheck.STAGING, 0)) {
            store.createItems();
            store.put(TestTable.items(0, 10, 0));
            store.load(DuplicatePolicy.REPLACE, TestTable.items(20, 2100, 0));
            RegionAssignment region = store.regions().getFirst();
            long id = region.regionId();
            TableDescriptor table = store.metadata().table("items").orElseThrow();
            store.stopServer();
            // As after a kill, so that nothing but the region itself can tell.
            disk.remove(home.resolve("server/closed"));
            String file = damage(id, fault);
            Map<String, List<Byte>> before = contents(id);
            store.startServer();
            for (int start = 0; start < 2; start++) {
                RegionDescriptor same = region.of(table);
                RegionDescriptor other =
                        new RegionDescriptor(
                                id,
                                table.tableId(),
                                table.schema(),
                                store.regions().getLast().range());
                assertNamed(() -> store.put(TestTable.items(5, 6, 1)), file);
                assertNamed(() -> store.openScan(id, 1), file);
                assertNamed(() -> store.begin(DuplicatePolicy.REPLACE), file);
                assertNamed(() -> store.service().createRegions(List.of(same)), file);
                assertNamed(() -> store.service().createRegions(List.of(other)), file);
                assertNamed(() -> store.service().closeIfEmpty(id), file);
                store.node().heartbeat();
                assertThat(contents(id)).isEqualTo(before);
                store.put(TestTable.items(2000, 2010, 1));
                store.restartServer();
            }
            assertThat(contents(id)).isEqualTo(before);
        }
    }

    @Test
    void aDamagedRegionGoesWithItsTable() {
        try (TestStore store = StoreCheck.open(home, disk, StoreCheck.STAGING, 0)) {
            store.createItems();
            store.put(TestTable.items(0, 10, 0));
            long id = store.regions().getFirst().regionId();
            store.stopServer();
            damage(id, Fault.MANIFEST_IS_MISSING);
            store.startServer();
            store.metadata().dropTable("items");
            assertThat(contents(id)).isEmpty();
        }
    }
}
