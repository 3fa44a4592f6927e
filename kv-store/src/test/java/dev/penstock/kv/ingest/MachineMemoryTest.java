package dev.penstock.kv.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class MachineMemoryTest {
    private static final long KIBIBYTE = 1024;
    private static final long INSTALLED = 24_000_000 * KIBIBYTE;

    @TempDir Path folder;

    @BeforeEach
    void machine() throws IOException {
        write("proc/meminfo", "MemTotal:       24000000 kB\nMemFree:         9000000 kB\n");
    }

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.resolveSibling(""));
        Files.writeString(path, text);
    }

    private long bytes() throws IOException {
        return new MachineMemory(folder.resolve("proc"), folder.resolve("cgroup")).read();
    }

    @Test
    void itIsWhatJavaSays() {
        assertThat(MachineMemory.bytes()).isEqualTo(MachineMemory.ofBean());
    }

    @Test
    void aMachineWithoutGroupsHasAllOfIt() throws IOException {
        assertThat(bytes()).isEqualTo(INSTALLED);
        write("proc/self/cgroup", "0::/\n");
        assertThat(bytes()).isEqualTo(INSTALLED);
    }

    @Test
    void theLeastOfAGroupAndThoseAroundItCounts() throws IOException {
        write("proc/self/cgroup", "0::/slice/service\n");
        write("cgroup/slice/service/memory.max", "max\n");
        assertThat(bytes()).isEqualTo(INSTALLED);
        write("cgroup/slice/memory.max", "2147483648\n");
        assertThat(bytes()).isEqualTo(2_147_483_648L);
        write("cgroup/slice/service/memory.max", "1073741824\n");
        assertThat(bytes()).isEqualTo(1_073_741_824L);
        write("cgroup/memory.max", "536870912\n");
        assertThat(bytes()).isEqualTo(536_870_912L);
    }

    @Test
    void aContainerSeesItsOwnGroupAsTheOutermost() throws IOException {
        write("cgroup/memory.max", "1073741824\n");
        for (String group : new String[] {"0::/", "0::/../..", "0::/docker/0123"}) {
            write("proc/self/cgroup", group + "\n");
            assertThat(bytes()).as(group).isEqualTo(1_073_741_824L);
        }
    }

    @Test
    void groupsOfTheFirstVersionCountToo() throws IOException {
        write("proc/self/cgroup", "9:cpu,cpuacct:/a\n7:memory:/docker/0123\n1:name=systemd:/b\n");
        write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        assertThat(bytes()).isEqualTo(INSTALLED);
        write("cgroup/memory/docker/0123/memory.limit_in_bytes", "805306368\n");
        assertThat(bytes()).isEqualTo(805_306_368L);
        write("proc/self/cgroup", "7:cpu,memory:/docker/0123\nmemory\n");
        assertThat(bytes()).isEqualTo(805_306_368L);
        write("proc/self/cgroup", "7:cpu,memorysticks:/docker/0123\n");
        assertThat(bytes()).isEqualTo(INSTALLED);
    }

    @Test
    void whatCannotBeUnderstoodIsNotGuessed() throws IOException {
        write("proc/self/cgroup", "0::/\n");
        write("cgroup/memory.max", "plenty\n");
        assertThatThrownBy(this::bytes).isInstanceOf(NumberFormatException.class);
        write("proc/meminfo", "MemFree:         9000000 kB\n");
        assertThatThrownBy(this::bytes).isInstanceOf(IOException.class);
    }
}
