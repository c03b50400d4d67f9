#!/bin/sh
# Installs the Debian packages that some tests use. Where that is not possible it says so and the tests skip.
set -u
missing=""
command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
command -v bwrap >/dev/null 2>&1 || missing="$missing bubblewrap"
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "touchstone: installing$missing with apt-get"
    apt-get update -qq >/dev/null 2>&1
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1 && exit 0
fi
echo "touchstone: not installed:$missing (needs root and apt-get); tests that use them will be skipped"
