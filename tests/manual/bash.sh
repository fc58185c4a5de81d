#!/bin/sh
# SPDX-License-Identifier: MIT
# bash.sh KERNTIME MANUAL: bash completes what a user would type, told as readline tells it.
set -u

kerntime=$1 manual=$2
command -v bash >/dev/null && bash -c '((BASH_VERSINFO[0] >= 4))' || {
    echo "skipped: there is no bash 4 or newer"
    exit 77
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$manual" bash "$work/kerntime" || exit 1
mkdir "$work/files" && : >"$work/files/a result.json" && : >"$work/files/k.cl" || exit 1
mkdir "$work/programs" && printf '#!/bin/sh\n' >"$work/programs/traced-one" && chmod +x "$work/programs/traced-one" || exit 1
PATH=$work/programs:$PATH

# What the help says is what is expected.
workloads() {
    "$kerntime" bench --help | sed -n '/^Workloads:/,/^$/s/^  \([a-z0-9_]*\) .*/\1/p' | grep . | sort |
        tr '\n' ' '
}

options() { # COMMAND
    "$kerntime" "$1" --help | sed -n 's/^  \(-\([A-Za-z]\),\|   \) --\([a-z0-9-]*\).*/--\3 -\2/p' |
        sed 's/ -$//' | tr ' ' '\n' | LC_ALL=C sort | tr '\n' ' '
}

cat >"$work/test.bash" <<'BASH'
. "$1/kerntime"
cd "$1/files" || exit 1
failed=0
# completes EXPECTED WORD...: the last word is the one to complete; expected are its completions, sorted.
completes() {
    local expected=$1
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=(left over)
    _kerntime kerntime "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null
    local found
    found=$(printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | tr '\n' ' ')
    [ "${found% }" = "${expected% }" ] || {
        echo "$*: '$found' instead of '$expected'"
        failed=1
    }
}
[ "$(complete -p kerntime)" = "complete -F _kerntime kerntime" ] || failed=1
completes "--help --version bench compare convert copy devices doctor fleet help run trace" kerntime ""
completes "bench" kerntime b
completes "bench compare convert copy devices doctor fleet run trace" kerntime help ""
completes "$2" kerntime bench ""
completes "$3" kerntime bench -
completes "$4" kerntime devices -
completes "$6" kerntime doctor -
completes "$5" kerntime copy -
completes "$7" kerntime compare -
completes "$8" kerntime run -
completes "$9" kerntime trace -
completes "traced-one" kerntime trace traced-
completes "traced-one" kerntime trace --json = j --quiet -o t traced-
completes "traced-one" kerntime trace --quiet -- traced-
completes "k.cl" kerntime trace ./tool --json k
completes "" kerntime trace traced-one -
completes "" kerntime trace traced-one run --wi
completes "k.cl" kerntime trace -o k
completes "--json" kerntime trace --quiet --js
_command_offset() { COMPREPLY=("word $1 on"); }
completes "word 4 on" kerntime trace --top 3 traced-one -- -
completes "--json" kerntime trace --quiet --js
unset -f _command_offset
completes "vulkan" kerntime trace -b v
completes "no" kerntime trace --follow n
completes "k.cl" kerntime run ""
completes "k.cl" kerntime run --check k
completes "" kerntime run -D T
completes "device" kerntime copy --kind d
completes "heap host" kerntime copy --kind = h
completes "heap-device" kerntime copy --direction heap-d
completes "device-host device-host-map" kerntime copy --direction device-ho
completes "" kerntime copy ""
completes "matmul" kerntime bench empty mat
completes "--timeout --timing" kerntime bench matmul --tim
completes "both device wall" kerntime bench --timing ""
completes "wall" kerntime bench --timing w
completes "wall" kerntime bench --timing = w
completes "both device wall" kerntime bench --timing =
completes "opencl" kerntime bench -d o
completes "sim" kerntime devices --device s
completes "" kerntime bench -d sim :
completes "tiled" kerntime bench matmul --variant t
completes "a result.json" kerntime bench --json a
completes "a result.json" kerntime devices --json = a
completes "a result.json" kerntime compare --baseline a
completes "a result.json" kerntime compare base.json a
completes "a result.json" kerntime fleet a
completes "slot" kerntime fleet --by s
completes "" kerntime bench --size ""
completes "" kerntime devices ""
completes "" kerntime nonsense ""
exit "$failed"
BASH
bash --norc "$work/test.bash" "$work" "$(workloads)" "$(options bench)" "$(options devices)" "$(options copy)" "$(options doctor)" "$(options compare)" "$(options run)" "$(options trace)"
