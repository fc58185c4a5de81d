#!/bin/sh
# SPDX-License-Identifier: MIT
# fleet_files.sh KERNTIME FOLDER: result files of 64 ranks on eight nodes, as srun would leave them, over sim. Devices differ
# honestly by 0.5 % at most. Rank 11 is 5 % slow, rank 20 has left no file, rank 33 has measured the device of rank 32, and rank
# 47 has wrong results.
set -eu

kerntime=$1 folder=$2
export KERNTIME_BACKENDS=sim SLURM_JOB_ID=4711 SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=64
rank=0
while [ $rank -lt 64 ]; do
    node=$((rank / 8 + 1)) slot=$((rank % 4)) seed=$((rank + 1)) kernel_ns=$((250000 + rank * 7919 % 1250)) more=
    case $rank in
    11) kernel_ns=263000 ;;
    33) slot=$((32 % 4)) seed=33 kernel_ns=$((250000 + 32 * 7919 % 1250)) ;;
    47) more=,wrong=1 ;;
    esac
    code=0
    [ $rank = 20 ] ||
        SLURM_PROCID=$rank SLURM_LOCALID=$((rank % 8)) SLURMD_NODENAME=n$node "$kerntime" bench saxpy --size 65536 --runs 3 \
            --samples 30..30 -d "sim:$slot:kernel_ns=$kernel_ns,jitter_ns=800,seed=$seed$more" -q --json "$folder/%h.%r.json" \
            >/dev/null 2>&1 || code=$?
    # A wrong result is told by the rank, too.
    [ $code = $([ $rank = 47 ] && echo 4 || echo 0) ] || { echo "rank $rank: exit code $code"; exit 1; }
    rank=$((rank + 1))
done
