#!/bin/sh
# The kernel that holds a stream is taken by NVIDIA's assembler.
#
# usage: blocking_ptx.sh PTXAS HEADER
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed -n 's/^ *"\(.*\)\\n";*$/\1/p' "$2" >"$folder/hold.ptx"
grep -q '^\.visible \.entry kt_block(' "$folder/hold.ptx"
for arch in sm_75 sm_90; do
    "$1" -arch=$arch -o "$folder/hold.cubin" "$folder/hold.ptx"
done
