#!/bin/sh
# SPDX-License-Identifier: MIT
# What programs for glibc 2.28 are compiled and linked with, in a folder: headers, start files and names of that version, which zig
# has of all versions; OpenMP of gcc, static; and jansson and SPIRV-Cross, static.
#
#   scripts/old-glibc.sh ZIG-FOLDER ARCH JANSSON SPIRV-CROSS FOLDER      ARCH: x86_64 or aarch64; JANSSON, SPIRV-CROSS: their sources
#
# The code is gcc's, as in every other build, and so is OpenMP, which zig lacks: without it CPU loops would run on one thread.
# SPIRV-Cross is compiled by zig, whose C++ library can be linked: libstdc++ of this machine needs a newer glibc.
set -u

zig=$1/zig headers=$1/lib/libc/include arch=$2 jansson=$3 spirv_cross=$4 folder=$5
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
version=2.28
target=$arch-linux-gnu.$version

die() {
    printf 'old-glibc: %s\n' "$*" >&2
    exit 1
}

rm -rf "$folder" && mkdir -p "$folder/lib" "$folder/include" "$folder/work" && cd "$folder" || exit 1
export ZIG_GLOBAL_CACHE_DIR="$folder/work/cache" ZIG_LOCAL_CACHE_DIR="$folder/work/cache"

# Later ones replace files of earlier ones.
for part in any-linux-any "$(echo "$arch" | sed 's/x86_64/x86/')-linux-any" generic-glibc "$arch-linux-gnu"; do
    cp -R "$headers/$part/." include || die "zig has no $headers/$part"
done
# What the headers take for the version.
sed -i "1i #ifndef __GLIBC_MINOR__\n#define __GLIBC_MINOR__ ${version#*.}\n#endif" include/features.h || exit 1
ln -s "$("$arch-linux-gnu-gcc" -print-file-name=include)" gcc || exit 1

# Headers of APIs, which are the same for all machines.
for api in CL vulkan vk_video level_zero; do
    [ ! -e "/usr/include/$api" ] || ln -s "/usr/include/$api" include/ || exit 1
done

# The names of all files that zig links a program in C++ with.
echo 'int main(void) { return 0; }' >work/main.cpp
"$zig" c++ -target "$target" -pie -fPIE -v -o work/main work/main.cpp 2>work/log || {
    cat work/log >&2
    die "zig links no program for $target"
}
for file in $(tail -n 1 work/log | tr ' ' '\n' | grep -E '^/.*/(Scrt1\.o|crt[in]\.o|lib[a-z+_]*\.(a|so\.[0-9]))$'); do
    cp "$file" lib/ || exit 1
done
rm -f lib/libcompiler_rt.a # gcc has its own
cd lib || exit 1
for name in m pthread dl rt; do
    ln -s lib$name.so.? lib$name.so || exit 1
done
echo 'GROUP ( libc.so.6 libc_nonshared.a AS_NEEDED ( libld.so.2 ) )' >libc.so
echo 'GROUP ( libgomp.a libdl.so.2 libpthread.so.0 )' >libgomp.so
echo 'GROUP ( libc++.a libc++abi.a libunwind.a )' >libstdc++.so
ln -s "$("$arch-linux-gnu-gcc" -print-file-name=libgomp.a)" libgomp.a && cd .. || exit 1

# The part of SPIRV-Cross that describes shaders.
for name in spirv_cross spirv_cross_parsed_ir spirv_parser spirv_cfg spirv_cross_c; do
    "$zig" c++ -target "$target" -std=c++11 -O2 -DNDEBUG -fPIC -fno-sanitize=undefined -c -o "work/$name.o" \
        "$spirv_cross/$name.cpp" || die "SPIRV-Cross: $name.cpp does not compile"
done
"$arch-linux-gnu-ar" rcD lib/libspirv-cross-c-shared.a work/spirv_*.o && mkdir include/spirv_cross &&
    cp "$spirv_cross/spirv_cross_c.h" "$spirv_cross/spirv.h" include/spirv_cross || exit 1

cmake -S "$jansson" -B work/jansson -G Ninja --toolchain "$here/../cmake/old-glibc.cmake" -DKT_OLD_GLIBC="$folder" -DKT_ARCH="$arch" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-O2 -DNDEBUG -fPIC -ffile-prefix-map=$jansson=jansson" \
    -DJANSSON_BUILD_DOCS=OFF -DJANSSON_EXAMPLES=OFF -DJANSSON_WITHOUT_TESTS=ON -DCMAKE_INSTALL_PREFIX="$folder" \
    -DCMAKE_INSTALL_LIBDIR=lib && cmake --build work/jansson && cmake --install work/jansson || die "jansson was not built"
