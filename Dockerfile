# The command penstock, built from loader-cli/target/dist (mvn -q -Dquick package -pl loader-cli -am makes that).
#
#   docker build -t penstock .
#   docker run --rm penstock --help
#
# Any base with a shell and a Java 25 at JAVA_HOME will do; tools/base-image.sh makes one without a registry.
ARG BASE_IMAGE=eclipse-temurin:25-jre
FROM ${BASE_IMAGE}

LABEL org.opencontainers.image.title="Penstock" \
      org.opencontainers.image.description="Bulk loading of delimited text into a sorted, columnar key-value store" \
      org.opencontainers.image.licenses="Apache-2.0"

COPY penstock /opt/penstock/
COPY loader-cli/target/dist/*.options /opt/penstock/
COPY loader-cli/target/dist/lib /opt/penstock/lib

# A cache of linked classes fits one Java and one set of files only: made here, both at a time, or done without.
RUN cd /tmp && for kind in embedded connected; do \
        part=--unordered; if [ "$kind" = embedded ]; then part=--embedded; fi; \
        { "$JAVA_HOME/bin/java" @/opt/penstock/java.options "-Xlog:aot*=off" "-Xlog:cds*=off" \
            -XX:AOTCacheOutput=/opt/penstock/$kind.aot -Xmx1g -Djava.library.path=/opt/penstock/lib/native \
            -cp '/opt/penstock/lib/own/*:/opt/penstock/lib/*' dev.penstock.cli.Main \
            demo --wide --more $part >/dev/null || rm -f /opt/penstock/$kind.aot; } & \
    done; wait; \
    mkdir -p /var/lib/penstock && chown 10001:10001 /var/lib/penstock

# No user of that number need be known to the base.
USER 10001:10001
ENV HOME=/var/lib/penstock PATH=/opt/penstock:$PATH
WORKDIR /var/lib/penstock
VOLUME /var/lib/penstock
EXPOSE 7070

# Whether the server of this container answers and has found its place in the cluster. PENSTOCK_PING is what ping has to
# know of it, if it does not speak plain text at 127.0.0.1:7070: db1:7070 --tls-ca /keys/ca.crt --token-file /keys/ping.token
ENV PENSTOCK_PING=
HEALTHCHECK --interval=15s --timeout=10s --start-period=20s --retries=3 CMD penstock ping $PENSTOCK_PING

ENTRYPOINT ["penstock"]
# Wants a certificate (--tls-cert, --tls-key, --tls-ca), or --insecure for plain text.
CMD ["serve", "--data", "/var/lib/penstock/data", "--listen", "0.0.0.0:7070"]
