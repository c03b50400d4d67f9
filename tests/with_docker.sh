#!/bin/sh
# Runs a command with a Docker engine that has the sandbox's image: sh tests/with_docker.sh COMMAND ...
# An engine that answers is used as it is. Else, as root with apt-get, one is installed and started with its own
# folder and socket, and ended after the command. Where that can't be done it says so and runs the command without.
set -u
cd "$(dirname "$0")/.." || exit 1
PATH=$PATH:/usr/sbin:/sbin
image=${TOUCHSTONE_DOCKER_IMAGE:-touchstone-sandbox}
work=""
engine=""
made_policy=""
mounted=""

say() { echo "touchstone: $1"; }

finish() {
    remove_policy
    if [ -n "$engine" ]; then
        say "ending the Docker engine"
        end_engine
    fi
    [ -z "$mounted" ] || cgroupfs-umount >/dev/null 2>&1
    [ -n "$work" ] || return
    mountpoint -q "$work/data" && umount -l "$work/data"
    rm -rf "$work"
}

end_engine() {
    kill "$engine" 2>/dev/null
    for _ in $(seq 60); do
        kill -0 "$engine" 2>/dev/null || break
        sleep 0.5
    done
    kill -KILL "$engine" 2>/dev/null
    wait "$engine" 2>/dev/null
    engine=""
}

answers() { command -v docker >/dev/null 2>&1 && timeout 20 docker version >/dev/null 2>&1; }

# start_engine STORAGE-DRIVER DATA-FOLDER
start_engine() {
    say "starting a Docker engine ($1 in $2)"
    dockerd --storage-driver="$1" --data-root="$2" --exec-root="$work/run" --pidfile="$work/pid" \
        --host="unix://$work/socket" --iptables=false --bridge=none >"$work/log" 2>&1 &
    engine=$!
    for _ in $(seq 60); do
        answers && return 0
        kill -0 "$engine" 2>/dev/null || break
        sleep 0.5
    done
    end_engine
    say "it does not come up: $(grep -v level=info "$work/log" | tail -n 1 | cut -c 1-300)"
    return 1
}

install_packages() {
    missing=""
    { command -v dockerd && command -v docker; } >/dev/null 2>&1 || missing="$missing docker.io"
    command -v debootstrap >/dev/null 2>&1 || missing="$missing debootstrap"
    mountpoint -q /sys/fs/cgroup || command -v cgroupfs-mount >/dev/null 2>&1 || missing="$missing cgroupfs-mount"
    [ -n "$missing" ] || return 0
    say "installing$missing with apt-get"
    # the packages must not start an engine of their own
    policy=/usr/sbin/policy-rc.d
    [ -e "$policy" ] || { printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy" && made_policy=$policy; }
    {
        timeout 120 apt-get update -qq
        # shellcheck disable=SC2086
        DEBIAN_FRONTEND=noninteractive timeout 600 apt-get install -y -qq --no-install-recommends $missing
    } >"$work/apt" 2>&1
    status=$?
    remove_policy
    [ "$status" = 0 ] || say "apt-get failed: $(tail -n 1 "$work/apt")"
    return "$status"
}

remove_policy() {
    [ -z "$made_policy" ] || rm -f "$made_policy"
    made_policy=""
}

prepare() {
    if answers; then
        say "using the Docker engine that answers"
    elif [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
        say "no Docker engine answers, and starting one needs root and apt-get"
        return 1
    else
        work=$(mktemp -d) || return 1
        install_packages || return 1
        mountpoint -q /sys/fs/cgroup || { cgroupfs-mount >/dev/null 2>&1; mounted=yes; }
        DOCKER_HOST="unix://$work/socket"
        export DOCKER_HOST
        unset DOCKER_CONTEXT
        start_engine overlay2 "$work/data" || start_engine overlay2 /var/lib/docker || start_engine vfs "$work/data" || return 1
    fi
    if docker image inspect "$image" >/dev/null 2>&1; then
        return 0
    fi
    timeout 900 sh sandbox/make_image.sh "$image"
}

trap finish EXIT
trap 'exit 130' INT TERM HUP
prepare || say "going on without the docker sandbox; the tests that need it will be skipped"
"$@"
