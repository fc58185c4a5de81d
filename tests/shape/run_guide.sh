#!/bin/sh
# SPDX-License-Identifier: MIT
# run_guide.sh SOURCE-FOLDER KERNTIME WORK-FOLDER: does what docs/run.md tells its reader to, command by command.
set -u

source=$1 kerntime=$2 work=$3
guide=docs/run.md
folder=$(cd "$(dirname "$0")" && pwd)

. "$folder/../tree.sh"
. "$folder/guide.sh"

rm -rf "$work"
mkdir -p "$work/tree/docs" "$work/bin" || exit 1
cp -R "$source/examples" "$work/tree" && cp "$source/$guide" "$work/tree/docs" || exit 1
ln -s "$kerntime" "$work/bin/kerntime"
PATH=$work/bin:$PATH
POCL_CACHE_DIR=$work/pocl KERNTIME_BACKENDS=opencl,vulkan
export PATH POCL_CACHE_DIR KERNTIME_BACKENDS
cd "$work/tree" || exit 1

check_excerpts "$guide"
kerntime devices -d opencl >/dev/null 2>&1 || {
    echo "there is no device of OpenCL"
    exit 77
}
blocks "$guide" sh >"$work/commands"
if command -v glslc >/dev/null && kerntime devices -d vulkan >/dev/null 2>&1; then
    blocks "$guide" 'sh vulkan' >>"$work/commands"
fi
if command -v gnuplot >/dev/null; then
    blocks "$guide" 'sh gnuplot' >>"$work/commands"
fi
for expected in 'saxpy.cl -n' '--list' '--check'; do
    grep -qe "$expected" "$work/commands" || die "the guide has no command with $expected"
done
quietly sh -eux "$work/commands"

for expected in '^saxpy/1048576 .* opencl:0' '^  tiled (left out by #if: needs -D)$' 'random 0..1 (guess)' '^fastest: TILE='; do
    grep -qe "$expected" "$work/log" || {
        cat "$work/log"
        die "nothing like this was printed: $expected"
    }
done
! grep -q 'sh gnuplot' "$guide" || ! command -v gnuplot >/dev/null || [ -s tuning.svg ] || die "tuning.svg was not written"
