#!/bin/sh
# killed.sh KERNTIME: a rank that was killed while it waited in --start-together does not keep the others, and its file goes.
set -u

work=$(mktemp -d) && cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT
unset TORCHELASTIC_RUN_ID PBS_JOBID LSB_JOBID SLURM_JOB_ID
export WORLD_SIZE=3
mkdir out
RANK=0 "$1" bench empty --size 8 -d sim:0 -q --start-together out --start-limit 1h >/dev/null 2>&1 &
process=$!
until [ -e out/.kerntime-start..3.0.here ]; do
    kill -0 $process || exit 1
    sleep 0.05
done
kill -KILL $process
wait $process
for rank in 1 2; do
    RANK=$rank "$1" bench empty --size 8 -d sim:0 -q --start-together out --start-limit 1h >table.$rank 2>err.$rank &
done
wait
cat err.*
[ "$(cat err.*)" = "kerntime: started without rank 0 of 3: it came, and then was killed" ] && [ -z "$(ls -A out)" ] &&
    grep -q '^empty/8' table.1 && grep -q '^empty/8' table.2
