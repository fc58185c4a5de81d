#!/bin/sh
# SPDX-License-Identifier: MIT
# The kernel of a header, which is PTX by hand, is taken by NVIDIA's assembler.
#
# usage: own_ptx.sh PTXAS HEADER ENTRY
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed -n 's/^[^"]*"\(.*\)\\n";*$/\1/p' "$2" >"$folder/kernel.ptx"
grep -q "^\.visible \.entry $3(" "$folder/kernel.ptx"
for arch in sm_75 sm_90; do
    "$1" -arch=$arch -o "$folder/kernel.cubin" "$folder/kernel.ptx"
done
