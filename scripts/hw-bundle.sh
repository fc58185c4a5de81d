#!/bin/sh
# SPDX-License-Identifier: MIT
# hw-bundle.sh FILE.tar HW-CHECK KERNTIME SUITE: one archive that checks the GPUs of another machine (./dev hw-check --bundle).
# KERNTIME and SUITE may be empty. The libraries that the programs need travel with them, except glibc and
# the libgcc_s that it needs: drivers load the host's, and an older one in their way would break them.
set -u

file=$1
shift
die() {
    printf 'hw-bundle: %s\n' "$*" >&2
    exit 1
}

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' HUP INT TERM
top=$folder/kerntime-hw-check

# A program and its libraries, in a folder of its own: the suite's libkerntime is not the command's.
add() { # NAME PROGRAM
    mkdir -p "$top/$1" && cp "$2" "$top/$1/$1" || exit 1
    missing=$(ldd "$2" | grep 'not found')
    [ -z "$missing" ] || die "$2 lacks libraries here: $missing"
    ldd "$2" | sed -n 's/^.* => \(\/[^ ]*\) .*/\1/p' | while IFS= read -r library; do
        case ${library##*/} in
        libc.so.* | libm.so.* | libdl.so.* | librt.so.* | libpthread.so.* | libgcc_s.so.* | ld-linux*) ;;
        *) cp -L "$library" "$top/$1/" || exit 1 ;;
        esac
    done || exit 1
}

add check "$1"
[ -z "$2" ] || add kerntime "$2"
if [ "$3" ]; then
    add suite "$3"
    # shellcheck disable=SC2016 # expanded where it runs
    printf '#!/bin/sh\nLD_LIBRARY_PATH=${0%%/*}/suite exec "${0%%/*}/suite/suite" "$@"\n' >"$top/run-suite"
fi
glibc=$(grep -haoE 'GLIBC_2\.[0-9]+' "$top"/*/* | sed 's/GLIBC_//' | sort -t. -k2 -n | tail -n 1)

cat >"$top/hw-check" <<TEXT
#!/bin/sh
# Checks the GPUs of this machine: docs/measured/README.md. Arguments go to kerntime-hw-check (--help).
case \$0 in */*) here=\${0%/*} ;; *) here=. ;; esac
LD_LIBRARY_PATH=\$here/check\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
"\$here/check/check" --help >/dev/null 2>&1 || {
    echo "hw-check: the programs do not start: they need Linux on $(uname -m) with glibc ${glibc:-2} or newer" >&2
    exit 4
}
if [ -e "\$here/run-suite" ]; then
    set -- --conformance "\$here/run-suite" "\$@"
else
    set -- --no-conformance "the archive was made without the suite" "\$@"
fi
exec "\$here/check/check" --log hw-check.log "\$@"
TEXT
cat >"$top/README" <<TEXT
Checks whether the times of kerntime are right on the GPUs of a machine. It needs Linux on $(uname -m), glibc ${glibc:-2} or newer, and
the GPU's driver. It needs no network, no root and no toolkit.

    ./hw-check --markdown . --json hw-check.json

kerntime/kerntime is the command: LD_LIBRARY_PATH=kerntime kerntime/kerntime doctor
TEXT
chmod +x "$top"/hw-check "$top"/run-suite 2>/dev/null
cp "$(dirname -- "$0")/../LICENSE" "$top/" || exit 1
tar -cf "$file" -C "$folder" kerntime-hw-check || die "$file could not be written"
