#!/bin/sh
# SPDX-License-Identifier: MIT
# headers.sh CC CXX INCLUDE-FOLDER: each public header compiles first of all, twice, and before all others,
# as C11 and as C++17, with the instrumentation API and with it compiled out, without a warning.
set -u

cc=$1 cxx=$2 include=$3
failed=0
count=0

complain() {
    echo "$@"
    failed=1
}

compile() { # LANGUAGE STANDARD COMPILER TEXT
    for door in KT_TEST KT_COMPILED_OUT; do
        if ! message=$(printf '%b' "$4" | "$3" -x "$1" "-std=$2" -pedantic -Wall -Wextra -Werror \
            -fsyntax-only "-D$door" -I "$include" - 2>&1); then
            printf 'as %s, -D%s:\n%b%s\n' "$2" "$door" "$4" "$message"
            failed=1
        fi
    done
}

# Whoever hands kerntime something of an API includes its header; all else is in kerntime.h.
expected() { # HEADER: whether kerntime.h includes it
    case $1 in
    kerntime.h | api.h | compiled_out.h | timer/*) return 1 ;;
    esac
}

imports=
for path in "$include"/kerntime/timer/*.h; do
    imports="$imports#include <kerntime/timer/${path##*/}>\n"
done
for path in "$include"/kerntime/*.h "$include"/kerntime/*/*.h; do
    name=${path#"$include/kerntime/"}
    header="#include <kerntime/$name>\n"
    all="#include <kerntime/kerntime.h>\n$imports"
    # What it lacks by itself is missed at its first line, whatever comes after it.
    text="$header$header$all"
    # ISO C wants something in every translation unit; C++ has no such rule.
    compile c c11 "$cc" "${text}typedef int kt_nothing;\n"
    compile c++ c++17 "$cxx" "$text"
    if grep -q "^#include <kerntime/$name>" "$include/kerntime/kerntime.h"; then
        expected "$name" || complain "kerntime.h includes $name"
    elif expected "$name"; then
        complain "kerntime.h does not include $name"
    fi
    count=$((count + 1))
done
for standard in c++11 c++17 c++20; do
    compile c++ "$standard" "$cxx" '#include <kerntime/kerntime.hpp>\n#include <kerntime/kerntime.hpp>\n'
done
[ "$(grep -vc SPDX-License-Identifier "$include/kerntime/kerntime.hpp")" -le 150 ] ||
    complain "kerntime.hpp has more than 150 lines besides that of the licence"
[ "$count" -ge 20 ] || complain "only $count headers in $include/kerntime"
echo "$count headers"
exit "$failed"
