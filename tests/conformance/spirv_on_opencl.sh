#!/bin/sh
# SPDX-License-Identifier: MIT
# The SPIR-V that Level Zero gets, executed: by PoCL, with the outputs that the workloads expect.
#
# usage: spirv_on_opencl.sh TARGETS SHIM LLVM-SPIRV SPV-FOLDER
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
for name in fill saxpy matmul reduce scan sort loop; do
    "$3" -r "$4/$name.spv" -o "$work/$name.bc" || exit 1
done
KERNTIME_LIB_OPENCL=$2 SPIRV_FOLDER=$work SPIRV_USED=$work/used OCL_ICD_VENDORS=pocl.icd "$1" opencl-c on opencl:0
rc=$?
[ "$rc" = 0 ] || exit "$rc"
for name in fill saxpy matmul reduce scan sort loop; do
    grep -qx "$name" "$work/used" || { echo "$name did not run"; exit 1; }
done
