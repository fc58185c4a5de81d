# SPDX-License-Identifier: MIT
# 16 ranks on 4 nodes of 4: one is slow, one is wrong, one is missing, and two measured one device.
measure()
{
    SLURM_JOB_ID=47 SLURM_STEP_ID=0 SLURM_PROCID=$1 SLURM_STEP_NUM_TASKS=16 SLURM_LOCALID=$(($1 % 4)) \
        SLURMD_NODENAME=n00$(($1 / 4 + 1)) kerntime bench saxpy --size 65536 --samples 20..20 --runs 3 -q \
        -d "sim:0:kernel_ns=$2,jitter_ns=800,seed=$1$1,uuid=$3,pci=$(($1 % 4 + 1))${4-}" --json out/%r.json >/dev/null 2>&1
}
mkdir out
for rank in 0 1 2 3 4 6 8 10 12 13 14 15; do
    measure $rank 250000 $((rank + 1))
done
measure 5 250000 6 ,wrong=40
measure 9 250000 9 # has the device of rank 8
measure 11 262000 12
try kerntime fleet out --json fleet.json --csv fleet.csv --markdown fleet.md
check_json fleet.json
json_value fleet.json 'j["fleet"]["counts"]' 'j["fleet"]["missing"]' \
    '[(d["node"], d["answer"], len(d["times"])) for d in j["fleet"]["devices"]][:4]'
head -3 fleet.csv
cat fleet.md
try kerntime fleet out -q --by node
try kerntime fleet out -q --by slot | sed -n "/^SLOT/,/^$/p"
# Printed, never run.
try kerntime fleet out --slurm -q
try kerntime fleet out --again -q
# A larger effect is asked for, and none is as slow.
rm out/5.json out/8.json out/9.json
try kerntime fleet out -q --min-effect 8% | tail -2
rm -r out fleet.json fleet.csv fleet.md
