#!/bin/sh
# SPDX-License-Identifier: MIT
# getting_started.sh SOURCE-FOLDER WORK-FOLDER DAWN LLVM-SPIRV: does what docs/getting-started.md tells its reader to, in a copy of the
# project, command by command; what it shows of files must be what they hold. DAWN, a library that need not be there, is
# the one whose path its reader would write, with SwiftShader for a driver. LLVM-SPIRV is the one that fits clang, or empty.
set -u

source=$1 work=$2 dawn=$3 llvm_spirv=$4
guide=docs/getting-started.md
folder=$(cd "$(dirname "$0")" && pwd)

. "$folder/../tree.sh"
. "$folder/guide.sh"

rm -rf "$work"
copy_tree "$source" "$work/tree"
cd "$work/tree" || exit 1

check_excerpts "$guide"
blocks "$guide" cmake | grep . >"$work/cmake" || die "the guide shows no CMake"

# Commands and edits, in the order of the guide.
have_gnuplot=no
command -v gnuplot >/dev/null && have_gnuplot=yes
have_vulkan=no
command -v glslc >/dev/null && [ -n "$(find /usr/share/vulkan/icd.d -name '*.json' 2>/dev/null)" ] && have_vulkan=yes
swiftshader=/usr/lib/chromium/vk_swiftshader_icd.json have_webgpu=no
[ -f "$dawn" ] && [ -f "$swiftshader" ] && have_webgpu=yes
path=/path/to/libwebgpu_dawn.so
have_spirv=no have_level_zero=no
[ -n "$llvm_spirv" ] && have_spirv=yes
[ "$have_spirv" = yes ] && grep -qs 0x8086 /sys/class/drm/renderD*/device/vendor && have_level_zero=yes
have_cuda=no have_hip=no
[ -e /dev/nvidia0 ] && have_cuda=yes
[ -e /dev/kfd ] && have_hip=yes
have_metal=no
[ "$(uname -s)" = Darwin ] && have_metal=yes
awk -v gnuplot="$have_gnuplot" -v vulkan="$have_vulkan" -v webgpu="$have_webgpu" -v cuda="$have_cuda" -v hip="$have_hip" -v spirv="$have_spirv" \
    -v level_zero="$have_level_zero" -v metal="$have_metal" -v guide="$guide" '
    $0 == "```" { kind = "" }
    kind == "run"
    kind == "edit" && /^[+][+][+] / { print "add_line " guide " " $2 }
    $0 == "```sh" || ($0 == "```sh gnuplot" && gnuplot == "yes") || ($0 == "```sh vulkan" && vulkan == "yes") { kind = "run" }
    $0 == "```sh webgpu" && webgpu == "yes" { kind = "run" }
    ($0 == "```sh spirv" && spirv == "yes") || ($0 == "```sh level_zero" && level_zero == "yes") { kind = "run" }
    ($0 == "```sh cuda" && cuda == "yes") || ($0 == "```sh hip" && hip == "yes") { kind = "run" }
    $0 == "```sh metal" && metal == "yes" { kind = "run" }
    $0 == "```diff" { kind = "edit" }' "$guide" |
    sed -e "s|^llvm-spirv |$llvm_spirv |" -e "s|^KERNTIME_LIB_WEBGPU=$path |VK_ICD_FILENAMES=$swiftshader KERNTIME_LIB_WEBGPU=$dawn |" >"$work/commands"
grep -q "^KERNTIME_LIB_WEBGPU=$path ./own_kernel webgpu:0" "$guide" || die "the guide does not say how WebGPU is run"
for expected in 'cmake --install' 'kerntime bench' 'pkg-config' './own_kernel' './copy sim:0' './own_clock' add_line; do
    grep -qe "$expected" "$work/commands" || die "the guide has no command with $expected"
done

PREFIX=$work/prefix
export PREFIX
export CMAKE_BUILD_PARALLEL_LEVEL=2 # else make builds with one core
unset KERNTIME_BACKENDS
POCL_CACHE_DIR=$work/pocl
export POCL_CACHE_DIR
{
    echo "work='$work'; . '$folder/../tree.sh'; . '$folder/guide.sh'; set -eux"
    cat "$work/commands"
} >"$work/script"
quietly sh "$work/script"

# That it went as the guide says: the log is in $work/log.
for expected in 'tick [0-9]* is at [0-9]* ns, within' 'square on cpu:0: .* samples, device-timestamp' 'square on sim:0: 100.0 us' \
    'triad/16384 .*sim:0' 'triad/4096 .*sequential'; do
    grep -q "$expected" "$work/log" || die "nothing like this was printed: $expected"
done
blocks "$guide" text >"$work/copies"
[ "$(wc -l <"$work/copies")" -eq 7 ] || die "the guide does not show what copy prints"
while IFS= read -r line; do
    grep -qxF "$line" "$work/log" || die "copy did not print: $line"
done <"$work/copies"
for file in result.json result.csv result.md; do
    [ -s "$file" ] || die "$file was not written"
done
[ "$have_vulkan" = no ] || grep -q 'square on vulkan:0: .* samples, device-timestamp' "$work/log" || die "nothing was measured on Vulkan"
[ "$have_webgpu" = no ] || grep -q 'square on webgpu:0: .* samples, device-timestamp' "$work/log" || die "nothing was measured on WebGPU"
[ "$have_level_zero" = no ] || grep -q 'square on level_zero:0: .* samples, device-timestamp' "$work/log" || die "nothing was measured on Level Zero"
if [ "$have_spirv" = yes ]; then
    [ -x own_kernel_level_zero ] || die "own_kernel_level_zero was not built"
    ! command -v spirv-val >/dev/null || spirv-val --target-env opencl1.2 own_kernel.spv || die "its SPIR-V is not valid"
fi
[ "$have_cuda" = no ] || grep -q 'square on cuda:0: .* samples, event-pair-blocked' "$work/log" || die "nothing was measured on CUDA"
[ "$have_hip" = no ] || grep -q 'square on hip:0: .* samples, event-pair' "$work/log" || die "nothing was measured on HIP"
[ "$have_metal" = no ] || grep -q 'square on metal:0: .* samples, ' "$work/log" || die "nothing was measured on Metal"
[ "$have_gnuplot" = no ] || [ -s result.svg ] || die "result.svg was not written"
