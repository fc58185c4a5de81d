#!/bin/sh
# SPDX-License-Identifier: MIT
# Our declarations of an API are those of its vendor's header, if that is installed: compiling SOURCE is the test, and with -DWRONG
# it has to fail.
#
# usage: vendor_header.sh CC SOURCE SRC HEADER WORK [FOLDER...]
set -u

cc=$1 source=$2 src=$3 header=$4 work=$5
shift 5
for folder; do
    include="${include:-}${folder:+ -isystem $folder}"
done
mkdir -p "$work" && cd "$work" || exit 1

compile() { # FLAGS... FILE
    # shellcheck disable=SC2086 # words
    "$cc" -std=c11 -fsyntax-only -I"$src" ${include:-} "$@" 2>log
}

printf '#define __HIP_PLATFORM_AMD__\n#include <%s>\ntypedef int nothing;\n' "$header" >probe.c
compile probe.c || {
    echo "skipped: no <$header> is installed: $(grep -m 1 error log)"
    exit 77
}
if compile -Wall -Wextra -Werror "$source"; then
    compile -DWRONG "$source" && echo "a wrong type was not noticed" && exit 1
    grep -qi 'static.assert' log && exit 0
    cat log && echo "a wrong type is something else than a failed assertion" && exit 1
fi
if grep -q 'is older than' log; then
    echo "skipped: $(grep -m 1 'is older than' log)"
    exit 77
fi
cat log
exit 1
