#!/bin/sh
# SPDX-License-Identifier: MIT
# counted.sh COUNTS FORBIDDEN ALLOWED PROGRAM [ARGUMENT...]: runs it over a stub driver that writes down what it has counted
# at the end of the process, and finds no line there that is forbidden, unless it is one that is allowed.
set -u
counts=$1 forbidden=$2 allowed=$3
shift 3
rm -f "$counts"
"$@" || exit
[ -s "$counts" ] || { echo "the stub has counted nothing"; exit 1; }
! grep -E "$forbidden" "$counts" | grep -vF "$allowed"
