package dev.penstock.it.cluster;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.WaitContainerResultCallback;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Network.Ipam;
import com.github.dockerjava.api.model.StreamType;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Servers and loads in containers of one network. The addresses within it are fixed and reached
 * from this machine too, which needs an engine on this machine. A container that is disconnected
 * has no other network.
 */
final class ContainerFleet implements Fleet {
    private static final int PORT = 7070;
    private static final int FIRST_HOST = 11;
    private static final String DATA = "/var/lib/penstock";
    private static final int SUBNETS = 32;
    private static final Duration START = Duration.ofSeconds(60);

    private final DockerClient client = DockerClientFactory.lazyClient();
    private final String image;
    private final Path folder;
    private final List<GenericContainer<?>> servers = new ArrayList<>();
    private final Network network;
    private final String subnet;

    private ContainerFleet(String image, Path folder) {
        this.image = image;
        this.folder = folder;
        DockerException occupied = null;
        Network created = null;
        String prefix = "";
        for (int i = 0; i < SUBNETS && created == null; i++) {
            prefix = "10.213." + i * 8 + ".";
            try {
                created = network(prefix + "0/24");
            } catch (DockerException e) {
                occupied = e;
            }
        }
        if (created == null) {
            throw new IllegalStateException("no free subnet", occupied);
        }
        network = created;
        subnet = prefix;
    }

    /** Created at once, so that a subnet that is taken shows here. */
    private static Network network(String range) {
        Network network =
                Network.builder()
                        .createNetworkCmdModifier(command ->
                                command.withIpam(
                                        new Ipam().withConfig(new Ipam.Config().withSubnet(range))))
                        .build();
        Objects.requireNonNull(network.getId());
        return network;
    }

    static ContainerFleet start(String image, Path folder, FleetSpec spec) throws Exception {
        ContainerFleet fleet = new ContainerFleet(image, folder);
        try {
            for (int server = 0; server < SERVERS; server++) {
                GenericContainer<?> container = fleet.container(server, spec);
                fleet.servers.add(container);
                container.start();
            }
            return fleet;
        } catch (Exception | Error e) {
            fleet.close();
            throw e;
        }
    }

    private GenericContainer<?> container(int server, FleetSpec spec) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "serve",
                                "--data",
                                DATA + "/data",
                                "--listen",
                                "0.0.0.0:" + PORT,
                                "--insecure"));
        if (server > 0) {
            command.addAll(List.of("--join", "server-0:" + PORT));
        }
        return new GenericContainer<>(DockerImageName.parse(image))
                .withImagePullPolicy(name -> false)
                .withNetwork(network)
                .withNetworkAliases("server-" + server)
                .withCommand(command.toArray(String[]::new))
                // Where memory is short it has to do for the compiler, too.
                .withEnv(spec.memoryBytes(server) > 0 ? Map.of() : PenstockJvm.SHORT)
                .withCreateContainerCmdModifier(create -> limit(create, server, spec))
                .waitingFor(Wait.forLogMessage(".*listening on.*\\n", 1).withStartupTimeout(START));
    }

    private void limit(CreateContainerCmd create, int server, FleetSpec spec) {
        create.withIpv4Address(ip(server));
        HostConfig host = Objects.requireNonNull(create.getHostConfig());
        if (spec.memoryBytes(server) > 0) {
            host.withMemory(spec.memoryBytes(server)).withMemorySwap(spec.memoryBytes(server));
        }
        if (spec.diskBytes(server) > 0) {
            host.withTmpFs(Map.of(DATA, "size=" + spec.diskBytes(server) + ",uid=10001,gid=10001"));
        }
    }

    private String ip(int server) {
        return subnet + (FIRST_HOST + server);
    }

    private String id(int server) {
        return servers.get(server).getContainerId();
    }

    @Override
    public String address(int server) {
        return ip(server) + ":" + PORT;
    }

    @Override
    public void kill(int server) {
        client.killContainerCmd(id(server)).withSignal("KILL").exec();
        client.waitContainerCmd(id(server)).start().awaitStatusCode();
    }

    @Override
    public void stop(int server) {
        client.stopContainerCmd(id(server)).withTimeout(30).exec();
    }

    /** A container that runs again says once more that it listens. */
    @Override
    public void restart(int server) throws InterruptedException {
        int before = listenings(said(server));
        client.startContainerCmd(id(server)).exec();
        CompletableFuture<Void> listening = new CompletableFuture<>();
        StringBuilder said = new StringBuilder();
        try (ResultCallback.Adapter<Frame> follow =
                new ResultCallback.Adapter<>() {
                    @Override
                    public void onNext(Frame frame) {
                        said.append(new String(frame.getPayload(), StandardCharsets.UTF_8));
                        if (listenings(said.toString()) > before) {
                            listening.complete(null);
                        }
                    }

                    @Override
                    public void onComplete() {
                        super.onComplete();
                        listening.completeExceptionally(
                                new IllegalStateException("it ended; it said: " + said));
                    }
                }) {
            client.logContainerCmd(id(server)).withStdErr(true).withFollowStream(true).exec(follow);
            listening.orTimeout(START.toSeconds(), java.util.concurrent.TimeUnit.SECONDS).join();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int listenings(String said) {
        return said.split("listening on", -1).length - 1;
    }

    @Override
    public void disconnect(int server) {
        client.disconnectFromNetworkCmd()
                .withContainerId(id(server))
                .withNetworkId(network.getId())
                .exec();
    }

    @Override
    public void reconnect(int server) {
        client.connectToNetworkCmd()
                .withContainerId(id(server))
                .withNetworkId(network.getId())
                .withContainerNetwork(
                        new ContainerNetwork()
                                .withAliases("server-" + server)
                                .withIpv4Address(ip(server))
                                .withIpamConfig(
                                        new ContainerNetwork.Ipam().withIpv4Address(ip(server))))
                .exec();
    }

    @Override
    public String said(int server) throws InterruptedException {
        return log(client, id(server), StreamType.STDERR);
    }

    private static String log(DockerClient client, String id, StreamType stream)
            throws InterruptedException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        client.logContainerCmd(id)
                .withStdOut(stream == StreamType.STDOUT)
                .withStdErr(stream == StreamType.STDERR)
                .exec(
                        new ResultCallback.Adapter<Frame>() {
                            @Override
                            public void onNext(Frame frame) {
                                text.writeBytes(frame.getPayload());
                            }
                        })
                .awaitCompletion();
        return text.toString(StandardCharsets.UTF_8);
    }

    /** The same command line as in a process, with a copy of the declaration where it runs. */
    @Override
    public LoadRun load(List<String> arguments) throws IOException {
        String id =
                client.createContainerCmd(image)
                        .withCmd(arguments)
                        .withEnv(
                                PenstockJvm.SHORT.entrySet().stream()
                                        .map(variable ->
                                                variable.getKey() + "=" + variable.getValue())
                                        .toList())
                        .withStdinOpen(true)
                        .withStdInOnce(true)
                        .withHostConfig(HostConfig.newHostConfig().withNetworkMode(network.getId()))
                        .exec()
                        .getId();
        client.copyArchiveToContainerCmd(id)
                .withHostResource(folder.resolve(Events.DDL_FILE).toString())
                .withRemotePath(DATA)
                .exec();
        return new ContainerRun(client, id);
    }

    @Override
    public void close() {
        servers.forEach(GenericContainer::stop);
        network.close();
    }

    /** A load in a container of its own whose standard input is attached to this test. */
    private static final class ContainerRun implements LoadRun {
        private final DockerClient client;
        private final String id;
        private final Feed input = new Feed();
        private final AttachedInput attached;
        private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

        ContainerRun(DockerClient client, String id) throws IOException {
            this.client = client;
            this.id = id;
            attached = AttachedInput.of(id);
            client.startContainerCmd(id).exec();
            WaitContainerResultCallback ending = client.waitContainerCmd(id).start();
            Thread.ofVirtual().start(this::pump);
            Thread.ofVirtual().start(() -> awaitEnd(ending));
        }

        private void pump() {
            try {
                attached.send(input);
            } catch (IOException e) {
                // The load has ended without reading all of it, which its outcome tells.
            }
        }

        private void awaitEnd(WaitContainerResultCallback ending) {
            try {
                int exitCode = ending.awaitStatusCode();
                outcome.complete(
                        new Outcome(
                                exitCode,
                                log(client, id, StreamType.STDOUT),
                                log(client, id, StreamType.STDERR)));
            } catch (InterruptedException | RuntimeException e) {
                outcome.completeExceptionally(e);
            }
        }

        @Override
        public Feed input() {
            return input;
        }

        @Override
        public CompletableFuture<Outcome> outcome() {
            return outcome;
        }

        @Override
        public void interrupt() {
            client.killContainerCmd(id).withSignal("TERM").exec();
        }

        @Override
        public void kill() {
            client.killContainerCmd(id).withSignal("KILL").exec();
        }

        @Override
        public void close() {
            input.end();
            client.removeContainerCmd(id).withForce(true).withRemoveVolumes(true).exec();
            try {
                attached.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
