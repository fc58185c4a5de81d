#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh CMAKE BUILD-FOLDER SOURCE-FOLDER WORK-FOLDER VERSION LIBDIR TYPE: installs the build into
# WORK/prefix, sees that every file and nothing else is there, copies it to "WORK/moved here", and runs the
# command there. The files are in installed.txt, the headers those of the source.
set -u

cmake=$1 build=$2 source=$3 work=$4 version=$5 libdir=$6 type=$7
here=$(cd "$(dirname -- "$0")" && pwd) || exit 1
. "$here/../tree.sh"

expected() {
    sed -e "s|^lib/|$libdir/|; s|@VERSION@|$version|; s|@MAJOR@|${version%%.*}|" \
        -e "s|@TYPE@|$(printf '%s' "$type" | tr '[:upper:]' '[:lower:]')|" "$here/installed.txt" |
        grep -v '^@HEADERS@$'
    (cd "$source" && find include/kerntime -name '*.h' -o -name '*.hpp')
}

same_files() { # FOLDER
    (cd "$1" && find . ! -type d | sed 's|^\./||' | sort) >"$work/found"
    diff "$work/expected" "$work/found" || die "installed into ${1##*/} (< should be, > is)"
}

# The library that the command finds is the one beside it, not one of the build.
run_command() { # PREFIX
    case $("$1/bin/kerntime" --version) in
    "kerntime $version" | "kerntime $version ("*")") ;;
    *) die "$1: kerntime --version" ;;
    esac
    LD_DEBUG=libs "$1/bin/kerntime" --version 2>&1 | grep 'calling init.*libkerntime' >"$work/loaded"
    grep -v "$1" "$work/loaded" && die "loads another library than that of $1"
    table=$("$1/bin/kerntime" bench matmul --size 16 -d sim:0:kernel_ns=1234) || die "$1: bench"
    case $table in
    *"matmul/16"*"sim:0"*"1.234 us"*) ;;
    *) die "$1: bench printed" "$table" ;;
    esac
}

# The tracers, too, are those beside it, and one traces a program.
run_tracers() { # PREFIX
    [ -e "$build/tests/tracers/opencl_stub_program" ] || return 0
    layer=$("$1/bin/kerntime" trace -q sh -c 'echo "$OPENCL_LAYERS"')
    case $layer in
    "$1"/*/libkerntime-trace-opencl.so) ;;
    *) die "$1: the tracer is '$layer'" ;;
    esac
    table=$(OCL_ICD_VENDORS=$build/tests/drivers/opencl_stub/libopencl_stub.so \
        "$1/bin/kerntime" trace "$build/tests/tracers/opencl_stub_program" dispatches 3 2>&1)
    case $table in
    *KERNEL*opencl:0*) ;;
    *) die "$1: trace printed" "$table" ;;
    esac
}

rm -rf "$work"
mkdir -p "$work" || exit 1
expected | sort >"$work/expected"
unset DESTDIR LD_LIBRARY_PATH

quietly "$cmake" --install "$build" --prefix "$work/prefix"
same_files "$work/prefix"
run_command "$work/prefix"

# Of the two components, one is enough to run the command, and both are everything.
quietly "$cmake" --install "$build" --prefix "$work/parts" --component kerntime_runtime
[ ! -e "$work/parts/include" ] || die "headers in the component for running programs"
run_command "$work/parts"
quietly "$cmake" --install "$build" --prefix "$work/parts" --component kerntime_development
same_files "$work/parts"

# A link to a page that stays in the source is dead here.
python3 "$source/scripts/check-links.py" "$work/prefix/share/doc/kerntime" || die "links of the installed pages"

# One version: the header's.
for file in "$work/prefix/$libdir/pkgconfig/kerntime.pc" \
    "$work/prefix/$libdir/cmake/kerntime/kerntimeConfigVersion.cmake"; do
    found=$(sed -n 's/^Version: //p; s/^set(PACKAGE_VERSION "\(.*\)")$/\1/p' "$file")
    [ "$found" = "$version" ] || die "${file##*/} is of version '$found', not $version"
done

# What packagers do: the files go below DESTDIR, and the names in them say nothing of it.
DESTDIR=$work/dest quietly "$cmake" --install "$build" --prefix /opt/kerntime
same_files "$work/dest/opt/kerntime"
grep -rl "$work" "$work/dest" && die "these know where they were put on the way"
grep -rIl "$build" "$work/dest" && die "these know where they were built"
grep -qx 'prefix=/opt/kerntime' "$work/dest/opt/kerntime/$libdir/pkgconfig/kerntime.pc" ||
    die "kerntime.pc has another prefix"

cp -R "$work/prefix" "$work/moved here" || exit 1
run_command "$work/moved here"
run_tracers "$work/moved here"
wc -l <"$work/expected" | tr '\n' ' '
echo "files installed, the command runs wherever they are"
