#!/bin/sh
# Makes the image of the `docker` backend where none can be pulled: a Debian root made by debootstrap from
# Debian's own packages, imported into the engine. Needs root, debootstrap and the docker command.
#     sudo sh sandbox/make_image.sh [NAME] [DEBIAN MIRROR]
set -eu
image=${1:-${TOUCHSTONE_DOCKER_IMAGE:-touchstone-sandbox}}
suite=bookworm

fail() {
    echo "touchstone: the image $image can't be made: $1" >&2
    exit 1
}

[ "$(id -u)" = 0 ] || fail "debootstrap needs root"
PATH=$PATH:/usr/sbin:/sbin
for tool in debootstrap docker tar; do
    command -v "$tool" >/dev/null 2>&1 || fail "$tool is not installed (Debian: apt-get install debootstrap docker.io)"
done
docker version >/dev/null 2>&1 || fail "no Docker engine answers"

mirror=${2:-}
if [ -z "$mirror" ] && command -v apt-get >/dev/null 2>&1; then
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' "Codename: $suite" 2>/dev/null | head -n 1)
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
echo "touchstone: making the image $image from ${mirror:-the usual mirror of Debian} ($suite); a minute or two"
debootstrap --variant=minbase --include=python3 "$suite" "$work/root" ${mirror:+"$mirror"} >"$work/log" 2>&1 ||
    { tail -n 5 "$work/log" >&2; fail "debootstrap failed"; }
find "$work/root" -xdev -perm /6000 -type f -exec chmod a-s {} +
for waste in var/cache/apt var/lib/apt/lists usr/share/doc usr/share/man usr/share/locale usr/share/info var/log; do
    rm -rf "${work:?}/root/$waste"
done
tar -C "$work/root" --numeric-owner -c . |
    docker import --change 'USER 65534:65534' --change 'CMD ["python3"]' - "$image" >/dev/null ||
    fail "the engine does not take it"
echo "touchstone: made $image with $(chroot "$work/root" python3 --version)"
