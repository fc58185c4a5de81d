#!/bin/sh
# SPDX-License-Identifier: MIT
# timing_guide.sh SOURCE-FOLDER WORK-FOLDER CMAKE PREFIX LIBDIR WEBGPU-STUB DAWN CUDA-STUB CUDA-HEADERS LEVEL-ZERO-STUB: does what
# docs/timing-your-own-code.md and docs/timing/ tell their reader to, with the kerntime that is installed at PREFIX. WEBGPU-STUB and
# DAWN stand in for a WebGPU library, one after the other: both have the ABI of spring 2025, DAWN need not be there. CUDA-STUB stands
# in for CUDA's driver, whose headers need not be there, LEVEL-ZERO-STUB for one of Level Zero behind the system's loader, if it was
# built. Programs are also built and run with their timers compiled out. Where a library or driver is missing, the parts that need it
# are left out.
set -u

source=$1 work=$2 cmake=$3 PREFIX=$4 libdir=$5 stub=$6 dawn=$7 cuda_stub=$8 cuda_headers=$9 level_zero_stub=${10}
concepts=docs/timing-your-own-code.md guide=$2/guide.md
folder=$(cd "$(dirname "$0")" && pwd)

. "$folder/../tree.sh"
. "$folder/guide.sh"

rm -rf "$work"
copy_tree "$source" "$work/tree"
mkdir "$work/untimed" "$work/lib" "$work/include" "$work/include/webgpu"
cd "$work/tree" || exit 1

# ---- The pages, one after another. They build all programs. ----

cat "$concepts" docs/timing/*.md >"$guide"
for program in examples/*_timer.c examples/plugin.c; do
    grep -q "^cc .*$program" "$guide" || die "the guide does not build $program"
done

# ---- What is here. ----

# The name to link by comes with packages for developers, the library with drivers.
for name in OpenCL vulkan ze_loader; do
    file=$(cc -print-file-name="lib$name.so.1")
    [ "$(cc -print-file-name="lib$name.so")" = "lib$name.so" ] && [ -e "$file" ] && ln -s "$file" "$work/lib/lib$name.so"
done
export LIBRARY_PATH="$work/lib" CMAKE_LIBRARY_PATH="$work/lib"
# No package brings WebGPU.
cp "$stub" "$work/lib/libwebgpu_dawn.so"
printf '#define EARLY_WEBGPU\n#include "tests/shape/webgpu/webgpu.h"\n' >"$work/include/webgpu/webgpu.h"
# Nor CUDA to a machine without an NVIDIA GPU; the stub does not run this program's kernel.
cp "$cuda_stub" "$work/lib/libcuda.so.1"
ln -s libcuda.so.1 "$work/lib/libcuda.so"
export KT_STUB_CUDA=clock=host
# Nor a GPU of Intel's; the stub does not run this program's kernel either.
export ZE_ENABLE_ALT_DRIVERS="$level_zero_stub" KT_STUB_LEVEL_ZERO=clock=host
# Debian's name has the version in it.
spirv=$(command -v llvm-spirv || command -v llvm-spirv-14)
mkdir "$work/bin"
[ -z "$spirv" ] || ln -s "$spirv" "$work/bin/llvm-spirv"
PATH="$work/bin:$PATH"
export CPATH="$work/include:$PWD${cuda_headers:+:$cuda_headers}" CMAKE_INCLUDE_PATH="$work/include"
can() { # HEADER LIBRARY
    echo "#include <$1>
        int main(void) { return 0; }" >"$work/can.c"
    cc "$work/can.c" -o "$work/can" -l"$2" 2>"$work/can.log"
}
opencl=no pocl=no cuda=no cudart=no hip=no level_zero=no vulkan=no lavapipe=no
can CL/cl.h OpenCL && opencl=yes
[ "$opencl" = yes ] && [ -e /etc/OpenCL/vendors/pocl.icd ] && pocl=yes
can cuda.h cuda && cuda=yes
can cuda_runtime_api.h cudart && cudart=yes
can hip/hip_runtime_api.h amdhip64 && hip=yes
[ -n "$level_zero_stub" ] && can level_zero/ze_api.h ze_loader && command -v clang >/dev/null && [ -n "$spirv" ] && level_zero=yes
can vulkan/vulkan.h vulkan && command -v glslc >/dev/null && vulkan=yes
icd=$(find /usr/share/vulkan/icd.d -name 'lvp_icd*.json' 2>/dev/null | head -n 1)
[ "$vulkan" = yes ] && [ -n "$icd" ] && lavapipe=yes

export PKG_CONFIG_PATH="$PREFIX/$libdir/pkgconfig" LD_LIBRARY_PATH="$PREFIX/$libdir:$work/lib"
export POCL_CACHE_DIR="$work/pocl" OCL_ICD_VENDORS=pocl.icd
export VK_ICD_FILENAMES="${icd:-/nowhere}"

# ---- Its commands, in its order. ----

here=webgpu
for api in opencl:$opencl cuda:$cuda cudart:$cudart hip:$hip level_zero:$level_zero vulkan:$vulkan; do
    case $api in *:yes) here="$here ${api%:yes}" ;; esac
done
awk -v here="$here" '
    BEGIN { n = split(here, apis); fence["```sh"]; for (i = 1; i <= n; i++) fence["```sh " apis[i]] }
    $0 == "```" { run = 0 }
    run
    $0 in fence { run = 1 }' \
    "$guide" >"$work/commands"
for expected in ./first ./first_without ./cpp_timer ./cpu_timer ./cuda_timer ./cuda_runtime_timer ./level_zero_timer ./opencl_timer ./opencl_timer_without ./vulkan_timer ./webgpu_timer ./plugin; do
    grep -qx "$expected" "$guide" || die "the guide does not run $expected"
done
blocks "$concepts" c >first.c
sed 's/^\(cc .*\)$/\1 -std=c11 -Wall -Wextra -Wno-unknown-pragmas -Werror/
    s/^\(c++ .*\)$/\1 -std=c++11 -Wall -Wextra -pedantic -Werror/' "$work/commands" >"$work/strict"
{ echo 'set -eux'; cat "$work/strict"; } >"$work/script"
quietly sh "$work/script"

printed() { # REGULAR-EXPRESSION...
    for line in "$@"; do
        grep -qE "$line" "$work/log" || { cat "$work/log"; die "nothing like this was printed: $line"; }
    done
}
printed '^sum 287\.9$' '^sum +cpu .* 20 ' '^not timed: timers are compiled out$'
grep -q '"name": "sum"' sum.json || die "KT_REPORT wrote no row"
printed '^scale: [0-9.]+ ms on average, 95 % below [0-9.]+ ms$'
printed '^norm: [0-9.]+ ms on average, 99 % below [0-9.]+ ms$'
[ -s times.csv ] && [ -s times.json ] || die "cpu_timer wrote no files"
[ "$opencl" = no ] || printed '^all pictures are the same$' '^blur +cpu .* 20 +20$' '^tone +cpu .* 20 +20$'
[ "$pocl" = no ] || printed '^blur +opencl .*x .* 20 +20$' '^tone +opencl .*x .* 20 +20$'
[ "$pocl" = no ] || [ "$(grep -cE '^(spread|shade|read) +opencl ( +[0-9.]+ [a-z]+){3} +20 ' "$work/log")" = 3 ] || die "opencl_timer has not three rows of 20"
[ "$cuda" = no ] || [ "$(grep -cE '^(cool|read) +cuda ( +[0-9.]+ [a-z]+){3} +20 ' "$work/log")" = 2 ] || die "cuda_timer has not two rows of 20"
[ "$level_zero" = no ] || [ "$(grep -cE '^(cool|first|read) +level_zero ( +[0-9.]+ [a-z]+){3} +20 ' "$work/log")" = 3 ] || die "level_zero_timer has not three rows of 20"
[ "$lavapipe" = no ] || [ "$(grep -cE '^(step|copy) +vulkan ( +[0-9.]+ [a-z]+){3} +20 ' "$work/log")" = 2 ] || die "vulkan_timer has not two rows of 20"

webgpu_rows() {
    [ "$(grep -cE '^(throw|add) +webgpu ( +[0-9.]+ [a-z]+){3} +20 ' "$work/log")" = 2 ] ||
        { cat "$work/log"; die "webgpu_timer has not two rows of 20"; }
}
webgpu_rows

# ---- Its messages are the library's. ----

LC_ALL=C strings -a "$PREFIX/$libdir/libkerntime.so" | sed 's/%[0-9.]*l*[a-z]/*/g' >"$work/strings"
awk '/^[|] message [|]/ { inside = 1; next } /^[|]---/ { next } !/^[|]/ { inside = 0 } inside' "$guide" | sed 's/^| //; s/ |.*//' |
    sed 's/"blur"/"*"/; s/of WebGPU/of */; s/of Vulkan/of */; /of Metal is/s/_metal()/_*()/g; s/of Metal is/of * is/; s/of another context/of another */' >"$work/sentences"
[ "$(wc -l <"$work/sentences")" -ge 10 ] || die "the guide shows no messages"
# What lies before a text in the file may end in bytes that happen to be letters.
says() { # MESSAGE
    sentence=$1 awk 'BEGIN { s = ENVIRON["sentence"] } substr($0, length($0) - length(s) + 1) == s { found = 1; exit }
        END { exit !found }' "$work/strings"
}
while IFS= read -r sentence; do
    says "$sentence" || die "kerntime never says: $sentence"
done <"$work/sentences"

independent='intervals take durations as independent of each other; rows that nobody changed show how much else changed'
grep -qxF "$independent" "$guide" || die "the guide's comparison does not say what its intervals are"
[ "$opencl" = no ] || printed "^$independent\$"

# ---- With timers compiled out, the same work, by the headers alone. ----

without_kerntime() { # COMPILER FILE PROGRAM OPTION...
    compiler=$1 file=$2 made=$3
    shift 3
    # shellcheck disable=SC2046 # words
    "$compiler" -Wall -Wextra -Wno-unknown-pragmas -Werror -DKT_COMPILED_OUT -I. "$file" -o "$made" $(pkg-config --cflags kerntime) "$@" ||
        die "$file needs its timers"
}
for standard in c11 gnu11; do
    without_kerntime cc examples/cpu_timer.c "$work/untimed/cpu_timer" -std=$standard
    "$work/untimed/cpu_timer" >"$work/log2" 2>&1 || die "cpu_timer does not run without timers"
    grep -qx 'cpu_timer: not timed: timers are compiled out' "$work/log2" || die "cpu_timer does not say why it is not timed"
done
without_kerntime c++ examples/cpp_timer.cpp "$work/untimed/cpp_timer" -std=c++11
"$work/untimed/cpp_timer" >"$work/log2" 2>&1 || die "cpp_timer does not run without timers"
grep -qx '35 steps' "$work/log2" || die "cpp_timer does other work without timers"
untimed() { # NAME LIBRARY
    without_kerntime cc "examples/$1.c" "$work/untimed/$1" -std=c11 -l"$2"
    "$work/untimed/$1" >"$work/untimed/$1.out" 2>/dev/null || die "$1 does not run without timers"
    printed "^$(cat "$work/untimed/$1.out")\$"
}
[ "$opencl" = no ] || untimed opencl_timer OpenCL
[ "$vulkan" = no ] || untimed vulkan_timer vulkan
untimed webgpu_timer webgpu_dawn

# ---- Without a driver they say so. ----

without() { # PROGRAM SENTENCE
    OCL_ICD_VENDORS=/nowhere VK_ICD_FILENAMES=/nowhere KT_STUB_WEBGPU=adapters=none "./$1" >"$work/without" 2>&1 || die "$1 fails without a driver"
    grep -q "$2" "$work/without" || { cat "$work/without"; die "$1 does not say: $2"; }
}
if [ "$opencl" = yes ]; then
    without opencl_timer 'there is no OpenCL device here'
    without plugin 'there is no OpenCL device here, so only the CPU has frames'
    grep -qE '^blur +cpu .* 20 +20$' "$work/without" || die "plugin times no CPU without OpenCL"
fi
[ "$cuda" = no ] || KT_STUB_CUDA=init=100 without cuda_timer 'there is no CUDA device here'
[ "$level_zero" = no ] || ZE_ENABLE_ALT_DRIVERS=/nowhere without level_zero_timer 'there is no Level Zero device here'
[ "$vulkan" = no ] || without vulkan_timer 'there is no Vulkan device here'
without webgpu_timer 'there is no WebGPU adapter here'

# ---- Pieces of code by themselves compile, and so does all of it with CMake. ----

pieces() { # PAGE HEADER
    [ -s docs/timing/"$1".md ] || die "there is no page for $1"
    echo "#include <$2>" | cc -std=c11 -fsyntax-only -x c - 2>/dev/null || return 0
    blocks docs/timing/"$1".md c >"$work/$1.c"
    [ "$(grep -c '^}' "$work/$1.c")" -ge 2 ] || die "the page for $1 has lost its program"
    # shellcheck disable=SC2046 # words
    quietly cc -std=c11 -Wall -Wextra -Werror -c "$work/$1.c" -o "$work/$1.o" $(pkg-config --cflags kerntime)
}
# What the guide shows of a snapshot needs the one include that it shows.
blocks "$concepts" 'c report' >"$work/report.c"
grep -q kt_ns_to_ms "$work/report.c" || die "the guide has lost its report"
# shellcheck disable=SC2046 # words
quietly cc -std=c11 -Wall -Wextra -Werror -c "$work/report.c" -o "$work/report.o" $(pkg-config --cflags kerntime)
pieces cpu stdio.h
pieces opencl CL/cl.h
pieces cuda-hip cuda_runtime_api.h
pieces level-zero level_zero/ze_api.h
pieces vulkan vulkan/vulkan.h
pieces webgpu webgpu/webgpu.h

quietly "$cmake" -S examples -B build/examples -DCMAKE_PREFIX_PATH="$PREFIX"
quietly "$cmake" --build build/examples
built='cpu_timer cpp_timer webgpu_timer'
[ "$opencl" = no ] || built="$built opencl_timer plugin"
[ "$vulkan" = no ] || built="$built vulkan_timer"
[ "$level_zero" = no ] || [ ! -x build/examples/level_zero_timer ] || built="$built level_zero_timer"
[ "$cuda" = no ] || [ ! -x build/examples/cuda_timer ] || built="$built cuda_timer" # CMake finds a toolkit, not a header alone
for program in $built; do
    "build/examples/$program" >"$work/log" 2>&1 || { cat "$work/log"; die "$program from CMake does not run"; }
done

# ---- The same program with a real WebGPU, as long as it is here. ----

swiftshader=/usr/lib/chromium/vk_swiftshader_icd.json real=no
if [ -f "$dawn" ] && [ -f "$swiftshader" ]; then
    real=yes
    cp "$dawn" "$work/lib/libwebgpu_dawn.so"
    VK_ICD_FILENAMES=$swiftshader ./webgpu_timer >"$work/log" 2>&1 || { cat "$work/log"; die "webgpu_timer does not run on Dawn"; }
    printed '^after 20971520 darts pi is about 3\.14'
    webgpu_rows
    VK_ICD_FILENAMES=$swiftshader "$work/untimed/webgpu_timer" >"$work/untimed/webgpu_timer.out" 2>/dev/null || die "it does not run without timers"
    printed "^$(grep pi "$work/untimed/webgpu_timer.out")\$"
fi
echo "OpenCL: $opencl, PoCL: $pocl, CUDA: $cuda, its runtime: $cudart, HIP: $hip, Level Zero: $level_zero, Vulkan: $vulkan, lavapipe: $lavapipe, Dawn: $real"
