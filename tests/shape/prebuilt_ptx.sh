#!/bin/sh
# SPDX-License-Identifier: MIT
# prebuilt_ptx.sh SOURCE BUILD WORK CMAKE OPTION...: a build without clang says so, and embeds the PTX that clang makes.
# BUILD is one with clang.
set -u

source=$1 build=$2 work=$3 cmake=$4
shift 4
made_by=$(sed -n 's/^set(KT_PREBUILT_PTX_CLANG \([0-9]*\)).*/\1/p' "$source/cmake/ptx.cmake")
failed=0
rm -rf "$work" && mkdir -p "$work" || exit 1

"$cmake" -S "$source" -B "$work/build" -DKT_TESTS=ON -DKT_CLANG=OFF "$@" >"$work/configure.log" 2>&1 || {
    cat "$work/configure.log"
    exit 1
}
grep 'clang not found: .*prebuilt' "$work/configure.log" || {
    echo "the build without clang does not say that its PTX is prebuilt"
    failed=1
}

headers=$(cd "$build" && echo workloads/*.ptx.h tests/conformance/*.ptx.h)
# shellcheck disable=SC2086 # a list of words
ninja -C "$work/build" $headers >"$work/build.log" 2>&1 || {
    cat "$work/build.log"
    exit 1
}
clang=$(sed -n 's/^KT_CLANG:.*=//p' "$build/CMakeCache.txt")
version=$("$clang" -dumpversion 2>/dev/null)
for header in $headers; do
    grep -q 0x2e,0x76,0x65,0x72,0x73,0x69,0x6f,0x6e "$work/build/$header" || { # ".version"
        echo "$header of the build without clang has no PTX"
        failed=1
    }
    [ "${version%%.*}" = "$made_by" ] || continue
    cmp "$build/$header" "$work/build/$header" || {
        echo "renew the prebuilt text: copy $build/${header%.h} beside its .cl file"
        failed=1
    }
done
[ "${version%%.*}" = "$made_by" ] || {
    echo "skipped: prebuilt by clang $made_by, and this is ${version:-none}"
    [ "$failed" = 1 ] || exit 77
}
exit "$failed"
