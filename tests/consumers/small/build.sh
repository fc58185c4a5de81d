#!/bin/sh
# SPDX-License-Identifier: MIT
# build.sh CMAKE CC STRIP SOURCE-FOLDER WORK-FOLDER [CMAKE-OPTION...]: the library with the backends
# of the CPU and OpenCL alone, as small as it gets (docs/build-options.md), and a program over it.
set -u
limit=250000

cmake=$1 cc=$2 strip=$3 source=$4 work=$5
shift 5
here=$(cd "$(dirname -- "$0")" && pwd) || exit 1
. "$here/../../tree.sh"

rm -rf "$work"
mkdir -p "$work" || exit 1
quietly "$cmake" -S "$source" -B "$work/build" -DCMAKE_BUILD_TYPE=MinSizeRel -DCMAKE_C_COMPILER="$cc" -DKT_WERROR=ON \
    -DKT_CLI=OFF -DKT_REPORTS=OFF -DKT_OPENCL=ON -DKT_CUDA=OFF -DKT_HIP=OFF -DKT_LEVEL_ZERO=OFF \
    -DKT_METAL=OFF -DKT_VULKAN=OFF -DKT_WEBGPU=OFF -DKT_SIM=OFF "$@"
quietly "$cmake" --build "$work/build" --parallel 2
quietly "$cmake" --install "$work/build" --prefix "$work/prefix"
library=$(find "$work/prefix" -name 'libkerntime.so.0')
[ -n "$library" ] || die "no libkerntime.so.0"
quietly "$cc" -o "$work/program" -I"$work/prefix/include" "$here/program.c" -Wl,-rpath,"${library%/*}" "$library"
printed=$("$work/program") || die "the program: exit $?"
[ "$printed" = 'cuda hip level_zero metal vulkan webgpu sim measured' ] || die "the program printed '$printed'"

quietly "$strip" -o "$work/stripped.so" "$library"
bytes=$(wc -c <"$work/stripped.so")
echo "$bytes bytes, of $limit"
[ "$bytes" -gt 10000 ] && [ "$bytes" -lt "$limit" ]
