# SPDX-License-Identifier: MIT
# One run shows no noise, so nothing is decided; further files of the same devices are further runs.
measure()
{
    SLURM_JOB_ID=$4 SLURM_PROCID=$1 SLURM_STEP_NUM_TASKS=4 SLURMD_NODENAME=n$1 \
        kerntime bench saxpy --size 4096 --samples 20..20 -q -d "sim:0:kernel_ns=$2,jitter_ns=800,seed=$3,uuid=$(($1 + 1))" \
        --json "out/$5%r.json" >/dev/null 2>&1
}
mkdir out
for rank in 0 1 2 3; do
    measure $rank $((60000 + rank / 3 * 3000)) $rank 1 a
done
# The scenario is the name of a simulated device, so its UUID alone says that the others are the same.
try kerntime fleet out
for rank in 0 1 2 3; do
    measure $rank $((60000 + rank / 3 * 3000)) 1$rank 2 b
    measure $rank $((60000 + rank / 3 * 3000)) 2$rank 3 c
done
try kerntime fleet out
# A rank of one job that wrote twice: the later result counts.
measure 3 60000 5 3 d
try kerntime fleet out -q | grep -v '^n'
try kerntime fleet out -q | grep '^note'
# Noise of 3 % takes more runs to find 3 %.
rm -r out
mkdir out
for rank in 0 1 2 3; do
    for run in 1 2 3; do
        measure $rank $((60000 + (rank * 7 + run * 5) % 4 * 900)) $rank$run $run $run
    done
done
try kerntime fleet out
rm out/?3.json out/?2.json
try kerntime fleet out
rm -r out
