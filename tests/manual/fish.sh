#!/bin/sh
# SPDX-License-Identifier: MIT
# fish.sh KERNTIME MANUAL: fish completes what a user would type.
set -u

kerntime=$1 manual=$2
command -v fish >/dev/null || {
    echo "skipped: there is no fish"
    exit 77
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/files" "$work/home" && : >"$work/files/a result.json" || exit 1
mkdir "$work/programs" && printf '#!/bin/sh\n' >"$work/programs/traced-one" && chmod +x "$work/programs/traced-one" || exit 1
PATH=$work/programs:$PATH
export HOME="$work/home" XDG_CONFIG_HOME="$work/home" XDG_DATA_HOME="$work/home"
"$manual" fish "$work/kerntime.fish" || exit 1
failed=0

# What fish makes of a word by itself, for fish 4 also offers options that only contain it.
matching() { # OPTIONS WORD
    fish --no-config -c 'for option in (string split " " -- $argv[1])
            complete -c plain -l (string sub -s 3 -- $option)
        end
        complete -C"plain $argv[2]"' -- "$1" "$2" </dev/null | cut -f 1 | LC_ALL=C sort | tr '\n' ' '
}

complete_line() { # LINE: what fish offers, without its descriptions, sorted
    (cd "$work/files" && fish --no-config -c "source ../kerntime.fish; complete -C'$1'" </dev/null) |
        cut -f 1 | LC_ALL=C sort | tr '\n' ' '
}

completes() { # EXPECTED LINE
    found=$(complete_line "$2")
    [ "${found% }" = "${1% }" ] || {
        echo "$2: '$found' instead of '$1'"
        failed=1
    }
}

options() { # COMMAND
    "$kerntime" "$1" --help | sed -n 's/^  \(-[A-Za-z],\|   \) \(--[a-z0-9-]*\) \([A-Z].*\)\{0,1\}.*/\2/p' |
        LC_ALL=C sort | tr '\n' ' '
}

completes "bench compare convert copy devices doctor fleet help run trace" "kerntime "
completes "bench" "kerntime b"
completes "bench compare convert copy devices doctor fleet run trace" "kerntime help "
completes "matmul" "kerntime bench empty mat"
for command in bench copy compare devices doctor fleet run trace; do
    completes "$(options $command)" "kerntime $command --"
done
expected=$(matching "$(options bench)" --tim)
case " $expected" in
*" --timeout --timing "*) completes "$expected" "kerntime bench matmul --tim" ;;
*)
    echo "fish itself makes '$expected' of --tim"
    failed=1
    ;;
esac
completes "both device wall" "kerntime bench --timing "
completes "--timing=wall" "kerntime bench --timing=w"
completes "opencl" "kerntime bench -d o"
completes "sim" "kerntime devices --device s"
completes "tiled" "kerntime bench matmul --variant t"
completes "device" "kerntime copy --kind d"
completes "heap-device" "kerntime copy --direction heap-d"
completes "a result.json" "kerntime bench --json res"
completes "a result.json" "kerntime compare res"
completes "a result.json" "kerntime fleet res"
completes "a result.json" "kerntime compare --baseline res"
completes "traced-one" "kerntime trace traced-"
completes "traced-one" "kerntime trace --top 3 -o t traced-"
completes "" "kerntime trace traced-one --js"
completes "a result.json" "kerntime trace traced-one a"
completes "opencl" "kerntime trace -b o"
completes "" "kerntime bench res" # no files where none are wanted
completes "" "kerntime bench --size res"
exit "$failed"
