#!/bin/sh
# size.sh CMAKE SOURCE-FOLDER WORK-FOLDER STRIP [CMAKE-OPTION...]: bytes of the stripped shared
# library of a release build. Embedders look at this first.
set -u

# 300,000 was the aim for four backends and one door; one more API costs about 20,000; tables, figure and model of
# transfers 30,000; comparing reports, with its statistics, table and document, and what a doctor writes 58,000; CUDA and HIP,
# which are two APIs, one code, two compilers and timers in streams, with clocks that give distances, 36,000; Level Zero, whose devices have
# three clocks of two widths, one of which pauses, whose timers' units are found, and whose lists are streams and recordings, with events
# handed out, 52,000; Metal, whose messages go through a runtime, whose samples are tried out when a device is opened and replaced where they are none,
# and which are also taken in passes, encoders and command buffers of the program's, 49,000.
limit=545000
cmake=$1 source=$2 work=$3 strip=$4
shift 4

quietly() {
    "$@" >"$work/log" 2>&1 && return
    cat "$work/log"
    exit 1
}

mkdir -p "$work" || exit 1
quietly "$cmake" -S "$source" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DKT_FAULTS=OFF \
    -DKT_TESTS=OFF -DKT_CLI=OFF "$@"
quietly "$cmake" --build "$work/build" --target kerntime_shared --parallel 2
quietly "$strip" -o "$work/stripped.so" "$work/build/src/libkerntime.so"
bytes=$(wc -c <"$work/stripped.so")
echo "$bytes bytes, of $limit"
[ "$bytes" -gt 10000 ] && [ "$bytes" -lt "$limit" ]
