# SPDX-License-Identifier: MIT
# A rank of several that is quiet and has a result file prints no table: 128 of them would come together.
unset SLURM_JOB_ID
measure="bench saxpy --size 64 --samples 6..6 -d sim:0"
said() { # OPTION...: what standard output has
    # shellcheck disable=SC2086 # words
    kerntime $measure "$@" >out 2>err
    echo "$*: $(grep -q '^saxpy' out && echo table) $(grep -q '^raw' out && echo raw) $(grep -q '^{' out && echo JSON)"
    cat err
}
said -q --json alone
export RANK=1 WORLD_SIZE=4
said -q --json %r
said -q --runs 2 --json %r
said -q --json %r --raw
said -q
said -q --csv %r.csv
said -q --json -
WORLD_SIZE=1 RANK=0 said -q --json one
# What failed is said.
try kerntime bench saxpy --size 64 -d sim:0:wrong=1 -q --json %r
try kerntime devices -d sim:0 -q --json %r
rm alone 1 1.csv one out err
