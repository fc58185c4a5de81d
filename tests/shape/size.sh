#!/bin/sh
# size.sh PREFIX STRIP: bytes of the stripped shared library of a release build that is installed
# there. Embedders look at this first.
set -u

# 300,000 was the aim for four backends and one door; one more API costs about 20,000; tables, figure and model of
# transfers 30,000; comparing reports, with its statistics, table and document, and what a doctor writes 58,000; CUDA and HIP,
# which are two APIs, one code, two compilers and timers in streams, with clocks that give distances, 36,000; Level Zero, whose devices have
# three clocks of two widths, one of which pauses, whose timers' units are found, and whose lists are streams and recordings, with events
# handed out, 52,000; Metal, whose messages go through a runtime, whose samples are tried out when a device is opened and replaced where they are none,
# and which are also taken in passes, encoders and command buffers of the program's, 49,000;
# a clock that says nothing of itself, and is followed through what a busy device tells of it, 5,000.
# It holds for each compiler: gcc 12 makes 548,000 bytes of it, gcc 14 makes 552,048.
limit=560000
prefix=$1 strip=$2

library=$(find "$prefix" -name 'libkerntime.so.0')
[ -n "$library" ] || { echo "no libkerntime.so.0 in $prefix"; exit 1; }
"$strip" -o "$prefix/stripped.so" "$library" || exit 1
bytes=$(wc -c <"$prefix/stripped.so")
echo "$bytes bytes, of $limit"
[ "$bytes" -gt 10000 ] && [ "$bytes" -lt "$limit" ]
