#!/bin/sh
# SPDX-License-Identifier: MIT
# Our declarations of WebGPU's C ABI are those of <webgpu/webgpu.h>, if one of today's form is installed.
#
# usage: webgpu_header.sh CC SOURCE INCLUDE-FOLDER WORK
set -u

mkdir -p "$4" && cd "$4" || exit 1
"$1" -DOFFICIAL "$2" -o official 2>official.log || {
    echo "skipped: no <webgpu/webgpu.h> of today's form is installed: $(grep -m 1 error official.log)"
    exit 77
}
"$1" -I"$3" "$2" -o own && ./own >own.txt && ./official >official.txt && diff own.txt official.txt
