#!/bin/sh
# SPDX-License-Identifier: MIT
# case.sh CASE.sh: a case of tests/cli with the command as WebAssembly under Node in place of the native one. Every byte that it
# prints, its exit codes and its files must be those of the native command. 77: the module was not built.
set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
site=$here/../../build/web/site
if [ ! -e "$site/kerntime-command.wasm" ]; then
    echo "skipped: $site has no kerntime-command.wasm; ./dev web builds it"
    exit 77
fi
exec sh "$here/../cli/run.sh" "$here/kerntime" "$1"
