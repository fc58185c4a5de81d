#!/bin/sh
# SPDX-License-Identifier: MIT
# The files of a release, out of its source tarball: the command for Linux on x86-64 and arm64, notes, checksums, and recipes with the
# checksum of the source.
#
#   scripts/release.sh ZIG-FOLDER JANSSON SPIRV-CROSS WORK-FOLDER FOLDER VERSION     JANSSON, SPIRV-CROSS: their sources
#
# FOLDER holds kerntime-VERSION.tar.gz. The same commit gives the same bytes with the same compilers.
set -u

zig=$1 jansson=$2 spirv_cross=$3 work=$4 folder=$5 version=$6
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
source=$work/kerntime-$version
oldest=2.28
unset CFLAGS CPPFLAGS CXXFLAGS LDFLAGS

say() {
    printf 'release: %s\n' "$*" >&2
}

die() {
    say "$@"
    exit 1
}

# A loader refuses a program that wants a newer glibc, or a library that is not there.
check_needs() { # FILE...
    for file; do
        newest=$(printf '%s\n' "$(readelf -VW "$file" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//')" "$oldest" | sort -V | tail -n 1)
        [ "$newest" = "$oldest" ] || die "$file needs glibc $newest, and $oldest is promised"
        others=$(readelf -dW "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -Ev '^(lib(c|m|dl|pthread|rt)|ld-linux.*)\.so\.[0-9]$')
        [ -z "$others" ] || die "$file needs $others"
    done
}

# What is linked in has licences of its own.
licences_of_others() {
    echo "bin/kerntime and the tracers in lib/kerntime/ contain start files of glibc (LGPL with the linking exception)."
    echo "bin/kerntime also contains:"
    for part in "jansson:$jansson/LICENSE" "SPIRV-Cross:$spirv_cross/LICENSE" "libc++:$zig/lib/libcxx/LICENSE.TXT" \
        "libgomp and libgcc:/usr/share/doc/libgomp1/copyright"; do
        printf '\n--- %s\n\n' "${part%%:*}"
        cat "${part#*:}" || return
    done
}

read_me() { # ARCH
    cat <<TEXT
kerntime $version for Linux on $1, with glibc $oldest or newer (not musl, as in Alpine)

Run bin/kerntime, or unpack this folder elsewhere and keep bin/, lib/ and share/ together:

    sudo tar -xf kerntime-$version-linux-$1.tar.gz -C /usr/local --no-overwrite-dir --strip-components=1 --wildcards '*/bin' '*/lib' '*/share'

libkerntime, OpenMP, jansson and SPIRV-Cross are linked in. Drivers of GPUs are opened at run time.
"kerntime devices" says which are missing. The library and its headers are built from source.
Documentation: share/doc/kerntime/README.md, share/man/man1/kerntime.1
TEXT
}

build() { # ARCH
    root=$work/$1 build=$work/build-$1 stage=$work/stage-$1 name=kerntime-$version-linux-$1
    "$here/old-glibc.sh" "$zig" "$1" "$jansson" "$spirv_cross" "$root" || return
    cmake -S "$source" -B "$build" -G Ninja --toolchain "$source/cmake/old-glibc.cmake" -DKT_OLD_GLIBC="$root" -DKT_ARCH="$1" \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-O3 -DNDEBUG -ffile-prefix-map=$work=." -DBUILD_SHARED_LIBS=OFF \
        -DKT_REQUIRE_ALL=ON && cmake --build "$build" && rm -rf "$stage" &&
        cmake --install "$build" --prefix "$stage/$name" --component kerntime_runtime --strip || return
    check_needs "$stage/$name/bin/kerntime" "$stage/$name"/lib/kerntime/*.so
    read_me "$1" >"$stage/$name/README" && cp "$source/LICENSE" "$stage/$name" &&
        licences_of_others >"$stage/$name/LICENSES-of-others" && chmod -R u=rwX,go=rX "$stage/$name" &&
        tar -C "$stage" --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
            -cf "$folder/$name.tar" "$name" && gzip -9 -n -f "$folder/$name.tar"
}

# The section of this version.
notes() {
    awk -v head="## $version " 'index($0 " ", head) == 1 { found = 1; next } /^## / { found = 0 } found' "$source/CHANGELOG.md" |
        sed '/./,$!d'
}

fill_recipe() { # FILE
    sed "s/@VERSION@/$version/g; s/@SHA256@/$(sha256sum <"$folder/kerntime-$version.tar.gz" | cut -d ' ' -f 1)/" "$source/packaging/$1" \
        >"$folder/${1##*/}"
}

rm -rf "$source" && tar -xf "$folder/kerntime-$version.tar.gz" -C "$work" || exit 1
SOURCE_DATE_EPOCH=$(stat -c %Y "$source/CHANGELOG.md") || exit 1 # the commit's
export SOURCE_DATE_EPOCH
notes >"$folder/NOTES.md"
[ -s "$folder/NOTES.md" ] || die "CHANGELOG.md has no section of $version"
fill_recipe homebrew/kerntime.rb && fill_recipe conda/meta.yaml || exit 1
for arch in x86_64 aarch64; do
    say "building kerntime-$version-linux-$arch"
    build "$arch" || die "the command for $arch was not built"
done
(cd "$folder" && sha256sum ./*.tar.gz | sed 's|  \./|  |' >SHA256SUMS)
