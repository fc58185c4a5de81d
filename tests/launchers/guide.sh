# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# guide.sh - sourced: the commands of docs/launchers.md, made small, over sim, for one machine.

guide_block() { # FILE HEADING: the first block behind the heading
    awk -v heading="## $2" '$0 == heading { on = 1 } on && inside && /^```$/ { exit } inside { print } on && /^```sh$/ { inside = 1 }' "$1" |
        sed 's/matmul --size 8192/saxpy --size 1024/; s/--local-device cuda/--local-device sim/; s/-n 128/-n 8/; s/-N 16 --ntasks-per-node 8/-N 4 --ntasks-per-node 4/; s/^rank=0 gpus=8$/rank=0 gpus=4/'
}

# guide_files COUNT: so many result files of as many ranks are all that is in out/.
guide_files() {
    [ "$(ls -A out | sed -n 's/^[^.].*\.\([0-9]*\)\.json$/\1/p' | sort -n | tr '\n' ' ')" = "$(seq -s ' ' 0 $(($1 - 1))) " ] && return
    echo "guide: not $1 ranks: $(ls -A out | tr '\n' ' ')"
    return 1
}
