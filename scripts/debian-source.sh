#!/bin/sh
# SPDX-License-Identifier: MIT
# The source of a library that Debian has compiled for its own machines alone, as the authors published it. Unpacked into a folder;
# the system's own lists of packages stay as they are.
#
#   scripts/debian-source.sh PACKAGE FOLDER
#
# Exit code 1: the distribution's sources do not have it, or could not be reached.
set -u

package=$1 root=$2
[ ! -e "$root/complete" ] || exit 0

rm -rf "$root"
mkdir -p "$root/apt/state/lists/partial" "$root/apt/cache/archives/partial" || exit 1
root=$(cd "$root" && pwd) || exit 1

# Where this distribution's packages come from, so do their sources.
mirrors() {
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
        sed -n 's/^deb  *\(\[[^]]*\] *\)\{0,1\}\(http[^ ]*\) .*/\2/p'
    sed -n 's/^URIs: *\(http[^ ]*\).*/\1/p' /etc/apt/sources.list.d/*.sources 2>/dev/null
}
# shellcheck disable=SC1091 # every system has its own
suite=$(. /etc/os-release 2>/dev/null && echo "${VERSION_CODENAME:-stable}")
mirror=$(mirrors | grep -m 1 '/\(debian\|ubuntu\)/*$')
echo "deb-src ${mirror:-http://deb.debian.org/debian} $suite main" >"$root/apt/sources.list"

apt_get() {
    apt-get -o Dir::State="$root/apt/state" -o Dir::Cache="$root/apt/cache" -o Dir::Etc::sourcelist="$root/apt/sources.list" \
        -o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none -o Acquire::Retries=3 "$@"
}

apt_get update && (cd "$root/apt" && apt_get source --download-only "$package") || exit 1
tar -xf "$root"/apt/"$package"_*.orig.tar.* -C "$root" --strip-components=1 || exit 1
rm -rf "$root/apt"
touch "$root/complete"
