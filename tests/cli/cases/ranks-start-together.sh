# SPDX-License-Identifier: MIT
# --start-together: nobody starts before all are here, or one has waited for --start-limit; and no file stays.
unset TORCHELASTIC_RUN_ID PBS_JOBID LSB_JOBID SLURM_JOB_ID
mkdir shared
rank() { # RANK SIZE LIMIT
    RANK=$1 WORLD_SIZE=$2 kerntime bench empty --size 8 -d sim:0 --samples 2..2 -q \
        --start-together shared --start-limit "$3" >"out.$1" 2>"err.$1"
}
waiting() { # COUNT: until so many ranks wait, or one has ended
    while [ "$(find shared -name '*.here' | wc -l)" -lt "$1" ]; do
        for process in $processes; do kill -0 "$process" 2>/dev/null || return; done
        sleep 0.05
    done
}
ended() { # what the ranks said, and what they have left
    wait
    for file in err.*; do [ ! -s "$file" ] || echo "$file: $(cat "$file")"; done
    grep -l '^empty/8' out.* | tr '\n' ' '
    echo "left: $(ls -A shared)"
    rm -f out.* err.*
}

echo "# all, the last one late"
processes=
for n in 0 1 2; do rank $n 4 1h & processes="$processes $!"; done
waiting 3
cat out.*
rank 3 4 1h
ended

echo "# one alone: it has waited for its limit"
rank 3 8 100ms
ended

echo "# the first limit starts all that are here, and the first of them speaks"
rank 1 5 1h & processes=$!
waiting 1
rank 3 5 100ms
ended

echo "# a file of a rank that was killed long ago"
touch -d 2020-01-01 shared/.kerntime-start..2.0.here
rank 1 2 100ms
ended

echo "# one is interrupted: the other goes on waiting, until it is back"
rank 0 3 1h & processes=$!
waiting 1
RANK=1 WORLD_SIZE=3 kerntime bench empty --size 8 -d sim:0 -q --start-together shared --start-limit 1h >out.1 2>/dev/null &
interrupted=$! processes="$processes $!"
waiting 2
kill -TERM $interrupted
wait $interrupted
echo "exit $?"
rank 1 3 1h &
rank 2 3 1h
ended

echo "# jobs of other names or sizes wait for their own ranks"
export TORCHELASTIC_RUN_ID=a_b
rank 1 2 1h & processes=$!
waiting 1
TORCHELASTIC_RUN_ID=a.b rank 0 2 100ms
cat err.0
rank 2 3 100ms
rank 0 2 1h
ended
unset TORCHELASTIC_RUN_ID

echo "# interrupted"
RANK=0 WORLD_SIZE=2 kerntime bench empty --size 8 -d sim:0 -q --start-together shared --start-limit 1h >out.0 2>/dev/null & processes=$!
waiting 1
kill -TERM $processes
wait $processes
echo "exit $?"
ended

try kerntime bench empty -d sim:0 --start-together shared
RANK=0 WORLD_SIZE=2 try kerntime bench empty -d sim:0 --start-together none
PMIX_RANK=0 try kerntime copy -d sim:0 --start-together shared
rmdir shared
