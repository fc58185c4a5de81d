#!/bin/sh
# SPDX-License-Identifier: MIT
# metal_guide.sh CLANG SOURCE-FOLDER WORK: what docs/timing/metal.md shows is one program, with timers and with them compiled out, and with and without
# automatic reference counting. Metal's header is a stand-in, metal_guide.h.in.
set -u

clang=$1 source=$2 work=$3
folder=$(cd "$(dirname "$0")" && pwd)
guide=$source/docs/timing/metal.md

die() {
    echo "$@"
    exit 1
}

. "$folder/guide.sh"

mkdir -p "$work/Metal" || exit 1
cd "$work" || exit 1
cp "$folder/metal_guide.h.in" Metal/Metal.h || exit 1
blocks "$guide" objc >guide.m
for function in begin_timing draw; do
    grep -q "^static void $function(" guide.m || die "the guide shows no $function()"
done
# A GPU that does not sample passes is timed within the encoder, for each that is shown.
[ "$(grep -c kt_timer_start_metal guide.m)" -eq "$(grep -c kt_timer_pass_metal guide.m)" ] ||
    die "the guide fills a pass and has nothing for GPUs that do not sample those"
# What of macOS 11 it uses is said to be so.
grep -q '^Objective-C, macOS 11 or later' "$guide" || die "the guide does not say of which macOS it is"
# What a program calls of them.
cat >>guide.m <<'END'
void use(id<MTLDevice> device, id<MTLCommandQueue> queue, id<MTLComputePipelineState> blur);
void use(id<MTLDevice> device, id<MTLCommandQueue> queue, id<MTLComputePipelineState> blur)
{
    begin_timing(device);
    draw([queue commandBuffer], blur, MTLSizeMake(1024, 1, 1));
}
END
compiles() { # FLAGS...
    "$clang" -x objective-c -fobjc-runtime=gnustep-2.0 -std=c11 -Wall -Wextra -Werror -fsyntax-only "$@" \
        -I . -I "$source/include" guide.m >log 2>&1
}
for counting in -fobjc-arc -fno-objc-arc; do
    for door in -DKT_TEST -DKT_COMPILED_OUT; do
        compiles "$counting" "$door" || { cat log; die "with $counting $door the guide's program does not compile"; }
    done
done
# It is looked at: without a bridge an object is no pointer.
sed -i 's/(__bridge void \*)commands/commands/' guide.m
compiles -fobjc-arc -DKT_TEST && die "what has no bridge compiles"
grep -q 'requires a bridged cast' log || { cat log; die "it fails for another reason"; }
echo "$(blocks "$guide" objc | wc -l) lines"
