#!/bin/sh
# SPDX-License-Identifier: MIT
# linkage.sh READELF LIBRARY SONAME OPENMP(0|1): what the shared library is called, and what it
# needs. Drivers are opened at run time: a missing one must not keep a program from starting.
set -u

readelf=$1 library=$2 soname=$3 openmp=$4
failed=0

names() { # KIND: the names in [brackets] of the dynamic section
    "$readelf" -d "$library" | sed -n "s/.*($1).*\[\(.*\)\].*/\1/p"
}

found=$(names SONAME)
if [ "$found" != "$soname" ]; then
    echo "SONAME is '$found' instead of $soname"
    failed=1
fi

needed=$(names NEEDED)
for name in $needed; do
    case $name:$openmp in
    # The first four are glibc's; of musl there is but one.
    libc.so.*:? | libm.so.*:? | libpthread.so.*:? | libdl.so.*:? | ld-linux*:? | libc.musl-*:?) ;;
    libgomp.so.*:1 | libomp.so.*:1) ;;
    *)
        echo "needs $name"
        failed=1
        ;;
    esac
done
case $needed in
*libc.*) ;;
*)
    echo "does not even need libc: was it read at all?"
    failed=1
    ;;
esac

# shellcheck disable=SC2086 # a list, on one line
echo "$soname needs" $needed
exit "$failed"
