#!/bin/sh
# headers.sh CC CXX INCLUDE-FOLDER: each public header compiles alone, twice and beside all others,
# as C11 and as C++17, without a warning.
set -u

cc=$1 cxx=$2 include=$3
failed=0
count=0

compile() { # LANGUAGE STANDARD COMPILER TEXT
    if ! message=$(printf '%b' "$4" | "$3" -x "$1" "-std=$2" -pedantic -Wall -Wextra -Werror \
        -fsyntax-only -I "$include" - 2>&1); then
        printf 'as %s:\n%b%s\n' "$2" "$4" "$message"
        failed=1
    fi
}

for path in "$include"/kerntime/*.h; do
    header="#include <kerntime/${path##*/}>\n"
    all='#include <kerntime/kerntime.h>\n'
    for text in "$header$header" "$header$all" "$all$header"; do
        # ISO C wants something in every translation unit; C++ has no such rule.
        compile c c11 "$cc" "${text}typedef int kt_nothing;\n"
        compile c++ c++17 "$cxx" "$text"
    done
    if [ "${path##*/}" != kerntime.h ] && [ "${path##*/}" != api.h ] &&
        ! grep -q "^#include <kerntime/${path##*/}>" "$include/kerntime/kerntime.h"; then
        echo "kerntime.h does not include ${path##*/}"
        failed=1
    fi
    count=$((count + 1))
done
[ "$count" -ge 11 ] || {
    echo "only $count headers in $include/kerntime"
    failed=1
}
echo "$count headers"
exit "$failed"
