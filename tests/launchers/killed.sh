#!/bin/sh
# SPDX-License-Identifier: MIT
# killed.sh KERNTIME: ranks that were killed while they waited in --start-together. They do not keep those that waited with
# them; those that come later wait until they are started again; and their files go.
set -u

work=$(mktemp -d) && cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT
unset TORCHELASTIC_RUN_ID PBS_JOBID LSB_JOBID SLURM_JOB_ID
export WORLD_SIZE=3
mkdir out
# Starts a rank, and sets $process.
start() { # RANK
    RANK=$1 "$kerntime" bench empty --size 8 -d sim:0 -q --start-together out --start-limit 60s >table.$1 2>err.$1 &
    process=$!
}
here() { # RANK: until it waits
    until [ -e "out/.kerntime-start..3.$1.here" ]; do
        kill -0 $process || exit 1
        sleep 0.05
    done
}
kerntime=$1

start 0
here 0
killed=$process
start 1
here 1
sleep 2 # so that rank 1 has seen that rank 0 lived
kill -KILL $killed
wait $killed
start 2
wait
cat err.*
[ "$(cat err.*)" = "kerntime: started without rank 0 of 3: it came, and then was killed" ] && [ -z "$(ls -A out)" ] &&
    grep -q '^empty/8' table.1 && grep -q '^empty/8' table.2 || exit 1

# All are killed, and the first one is the last that is started again.
for rank in 0 1 2; do : >out/.kerntime-start..3.$rank.here; done
start 1
start 2
sleep 1
start 0
wait
cat err.*
[ -z "$(cat err.*)" ] && [ -z "$(ls -A out)" ] && [ "$(cat table.* | grep -c '^empty/8')" = 3 ]
