#!/bin/sh
# SPDX-License-Identifier: MIT
# The guide's sed makes a program of HIP out of examples/cuda_runtime_timer.c, which compiles where HIP's headers are.
#
# usage: hip_timer.sh CC SOURCE-FOLDER WORK [FOLDER]
set -u

mkdir -p "$3" && cd "$3" || exit 1
ln -sfn "$2/examples" examples
grep -m 1 "^sed .*hip_timer.c$" "$2/docs/timing/cuda-hip.md" >commands.sh || exit 1
sh -eu commands.sh || exit 1
grep -i cuda hip_timer.c && echo "something of CUDA is left" && exit 1
[ -n "${4:-}" ] || {
    echo "skipped: no <hip/hip_runtime_api.h> is installed"
    exit 77
}
"$1" -std=c11 -Wall -Wextra -Werror -D__HIP_PLATFORM_AMD__ -I"$2/include" -isystem "$4" -c hip_timer.c -o hip_timer.o
