#!/bin/sh
# Builds the base image of the Dockerfile where no registry can be reached: a C library, a shell and a Java run time.
# The first two come from packages of this Debian or Ubuntu, the last from the JDK 25 of this machine (jlink).
#
#   tools/base-image.sh [TAG]        TAG is penstock-base:25 by default
#   docker build --build-arg BASE_IMAGE=penstock-base:25 -t penstock .
#
#   JAVA25_HOME   the JDK to use, before JAVA_HOME and the usual folders
set -eu

tag=${1:-penstock-base:25}

fail() {
    echo "base-image: $1" >&2
    exit 1
}

find_jdk() {
    for jdk in "${JAVA25_HOME:-}" "${JAVA_HOME:-}" /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk*; do
        if [ -x "$jdk/bin/jlink" ] && grep -q '^JAVA_VERSION="25["+.-]' "$jdk/release" 2>/dev/null; then return 0; fi
    done
    return 1
}

for tool in apt-get dpkg-deb docker tar; do
    command -v "$tool" >/dev/null || fail "$tool is needed; without it, build the image from a base of a registry."
done
find_jdk || fail "no JDK 25 found; install one or set JAVA25_HOME to its folder."
jdk=$(CDPATH='' cd -- "$jdk" && pwd -P)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
root=$work/root
mkdir -p "$work/packages" "$root"

# All folders of programs and libraries below /usr, as on any present system.
for folder in bin sbin lib lib64; do
    mkdir -p "$root/usr/$folder"
    ln -s "usr/$folder" "$root/$folder"
done

packages="libc6 zlib1g busybox-static"
if ldd "$jdk/lib/server/libjvm.so" | grep -q 'libstdc++'; then packages="$packages libstdc++6 libgcc-s1"; fi
# shellcheck disable=SC2086 # the packages are words
(cd "$work/packages" && apt-get -qq download $packages) >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "the packages $packages cannot be had; run apt-get update first, or use a base of a registry."
}
for package in "$work"/packages/*.deb; do
    dpkg-deb --fsys-tarfile "$package" |
        tar -x --keep-directory-symlink --no-same-owner --exclude='./usr/share' --exclude='*/gconv' -C "$root"
done
for name in $("$root/bin/busybox" --list); do
    [ -e "$root/bin/$name" ] || ln -s busybox "$root/bin/$name"
done

mkdir -p "$root/etc" "$root/opt/java" "$root/proc" "$root/sys" "$root/dev" "$root/root"
mkdir -m 1777 "$root/tmp"
mkdir -p "$root/var" && ln -s /tmp "$root/var/tmp"
echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
echo 'root:x:0:' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"

# What the jars ask for, what they use by reflection, and jcmd.
"$jdk/bin/jlink" --output "$root/opt/java/openjdk" --no-header-files --no-man-pages --generate-cds-archive --add-modules \
    java.base,java.logging,java.management,java.naming,java.sql,java.xml,jdk.incubator.vector,jdk.jcmd,jdk.management,jdk.unsupported

tar -C "$root" --owner=0 --group=0 --numeric-owner -c . | docker import \
    -c 'ENV JAVA_HOME=/opt/java/openjdk' \
    -c 'ENV PATH=/opt/java/openjdk/bin:/usr/sbin:/usr/bin:/sbin:/bin' \
    -c 'ENV LANG=C.UTF-8' \
    - "$tag" >/dev/null
echo "$tag"
