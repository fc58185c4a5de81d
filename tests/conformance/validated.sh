#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a program under Vulkan's validation layer.
#
#   validated.sh CONTROL clean PROGRAM ARGUMENT...     fails if the program does, or if the layer has an objection
#   validated.sh CONTROL spoiled PROGRAM ARGUMENT...   fails unless the layer has one
#
# CONTROL is the program forgotten_reset, which tells whether the layer is here: 77 if not. That it was really
# loaded is read from the loader's own messages, for the loader passes over a layer that it cannot load.
set -u

control=$1 expected=$2
shift 2
"$control" here || exit
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation VK_LOADER_DEBUG=layer "$@" >"$log" 2>&1
code=$?
if [ "$code" != 0 ]; then
    grep -v LAYER: "$log"
    echo "validated.sh: $1 exits with $code"
    exit "$code"
fi
if ! grep -q 'Insert instance layer "VK_LAYER_KHRONOS_validation"' "$log"; then
    echo "validated.sh: the validation layer was not loaded"
    exit 1
fi
# Not every objection has a number of its own in the specification.
if objections=$(grep -E 'VUID-|UNASSIGNED-' "$log"); then
    printf '%s\n' "$objections" | cut -c 1-2000 | head -n 20
    found=spoiled
else
    found=clean
fi
echo "validated.sh: $found, and should be $expected"
[ "$found" = "$expected" ]
