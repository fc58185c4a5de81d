#!/bin/sh
# SPDX-License-Identifier: MIT
# build.sh CC PREFIX LIBDIR WORK-FOLDER: what people write who have no CMake.
set -u

cc=$1 prefix=$2 libdir=$3 work=$4
here=$(cd "$(dirname -- "$0")" && pwd) || exit 1
. "$here/../../tree.sh"

command -v pkg-config >/dev/null || {
    echo "skipped: there is no pkg-config"
    exit 77
}
rm -rf "$work"
mkdir -p "$work" || exit 1
cd "$work" || exit 1
flags='-std=c11 -Wall -Wextra -Wpedantic -Werror'

check() { # PROGRAM
    output=$("./$1") || die "$1: exit $?"
    [ "$output" = 1234 ] || die "$1 printed '$output' instead of 1234"
}

export PKG_CONFIG_PATH="$prefix/$libdir/pkgconfig"
pkg-config --validate kerntime || exit 1
pkg-config --atleast-version=99 kerntime && die "version $(pkg-config --modversion kerntime) is at least 99?"
# shellcheck disable=SC2046,SC2086 # words
quietly "$cc" $flags -o shared "$here/../program.c" $(pkg-config --cflags --libs kerntime) \
    -Wl,-rpath,"$(pkg-config --variable=libdir kerntime)"
check shared

# Beside the shared library.
pkg-config --validate kerntime-static || exit 1
# shellcheck disable=SC2046,SC2086 # words
quietly "$cc" $flags -o static "$here/../program.c" $(pkg-config --static --cflags --libs kerntime-static)
check static
if ldd ./static | grep kerntime; then die "static needs the shared library"; fi
echo "linked with: $(pkg-config --static --libs kerntime-static)"
