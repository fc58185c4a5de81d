#!/bin/sh
# SPDX-License-Identifier: MIT
# size.sh PREFIX STRIP: bytes of the stripped shared library of a release build that is installed
# there. Embedders look at this first.
set -u
# gcc 12 makes 605,600 bytes of nine backends, of which two share their code, two APIs, the host's counter, states of devices,
# reports, comparisons, fleets and figures.
# Whole pages are written: a few hundred bytes more can be 4 KiB.
limit=612000
prefix=$1 strip=$2

library=$(find "$prefix" -name 'libkerntime.so.0')
[ -n "$library" ] || { echo "no libkerntime.so.0 in $prefix"; exit 1; }
"$strip" -o "$prefix/stripped.so" "$library" || exit 1
bytes=$(wc -c <"$prefix/stripped.so")
echo "$bytes bytes, of $limit"
[ "$bytes" -gt 10000 ] && [ "$bytes" -lt "$limit" ]
