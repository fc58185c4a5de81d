#!/bin/sh
# SPDX-License-Identifier: MIT
# embedded_install.sh CMAKE WORK-FOLDER CC PROJECT-FOLDER VERSION [CMAKE-OPTION...]: a project that has
# kerntime inside may install it after all: the one kind that it built, here the static one. The
# folder of libraries is an absolute path, as some distributions give it.
set -u

cmake=$1 work=$2 cc=$3 project=$4 version=$5
shift 5
here=$(cd "$(dirname -- "$0")" && pwd) || exit 1
. "$here/../tree.sh"
prefix=$work/with_install lib=$work/elsewhere/lib

rm -rf "$prefix" "$work/elsewhere" "$work/found_static"
quietly "$cmake" -DKT_INSTALL=ON -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR="$lib" \
    "$work/build"
quietly "$cmake" --build "$work/build"
quietly "$cmake" --install "$work/build"
quietly "$cmake" -DKT_INSTALL=OFF "$work/build" # as it was
[ -f "$lib/libkerntime.a" ] || die "no libkerntime.a"
[ ! -e "$lib/libkerntime.so" ] && [ ! -e "$prefix/bin" ] || die "more than the project has built"

quietly "$cmake" -S "$project" -B "$work/found_static" -DCMAKE_PREFIX_PATH="$work/elsewhere" \
    -DTARGETS="kerntime;static" -DKERNTIME_VERSION="$version" "$@"
quietly "$cmake" --build "$work/found_static"
[ "$("$work/found_static/use_kerntime")" = 1234 ] || die "use_kerntime does not print 1234"

command -v pkg-config >/dev/null || exit 0
export PKG_CONFIG_PATH="$lib/pkgconfig"
[ "$(pkg-config --variable=libdir kerntime)" = "$lib" ] || die "libdir: $(pkg-config --variable=libdir kerntime)"
# shellcheck disable=SC2046 # words
quietly "$cc" -o "$work/by_pkg_config" "$here/program.c" $(pkg-config --cflags --libs kerntime)
[ "$("$work/by_pkg_config")" = 1234 ] || die "by_pkg_config does not print 1234"
