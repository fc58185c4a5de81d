#!/bin/sh
# SPDX-License-Identifier: MIT
# What tests need beside the cross compiler, of this distribution's packages for arm64, unpacked into a folder: the system's own list of
# machines, packages and lists stays as it is.
#
#   scripts/arm64-root.sh FOLDER
#
# Exit code 1: the distribution's sources have no packages for arm64, or could not be reached.
set -u

root=$1
packages='libcmocka0 libcmocka-dev libjansson4 libjansson-dev'
mark="$packages $(. /etc/os-release 2>/dev/null && echo "${VERSION_ID:-}")"
[ "$(cat "$root/complete" 2>/dev/null)" != "$mark" ] || exit 0

rm -rf "$root"
mkdir -p "$root/apt/state/lists/partial" "$root/apt/cache/archives/partial" "$root/debs" || exit 1
root=$(cd "$root" && pwd) || exit 1
: >"$root/apt/status"

apt_get() {
    apt-get -o Dir::State="$root/apt/state" -o Dir::State::status="$root/apt/status" -o Dir::Cache="$root/apt/cache" \
        -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none \
        -o Acquire::Retries=3 "$@"
}

apt_get update || exit 1
# shellcheck disable=SC2086 # a list of words
(cd "$root/debs" && apt_get download $packages) || exit 1
for file in "$root"/debs/*.deb; do
    dpkg -x "$file" "$root" || exit 1
done
rm -rf "$root/apt" "$root/debs"
echo "$mark" >"$root/complete"
