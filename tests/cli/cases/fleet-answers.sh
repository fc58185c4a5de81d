# SPDX-License-Identifier: MIT
# A device has one answer, the worst that is true of the results that count.
measure() # RANK KERNEL_NS FILE WORKLOAD [KEYS]
{
    SLURM_JOB_ID=4 SLURM_PROCID=$1 SLURM_STEP_NUM_TASKS=8 SLURMD_NODENAME=n$1 \
        kerntime bench $4 --size 4096 --samples 20..20 --runs 3 -q -d "sim:0:kernel_ns=$2,jitter_ns=80,seed=$1,uuid=$(($1 + 1))${5-}" \
        --json "out/$3%r.json" >/dev/null 2>&1
}
show()
{
    try kerntime fleet out -q --json fleet.json >/dev/null
    check_json fleet.json
    json_value fleet.json '[(d["node"], d["answer"], [t["answer"] for t in d["times"]], d["reason"]) for d in j["fleet"]["devices"] if d["answer"] != "good"]' \
        '{k: v for k, v in j["fleet"]["counts"].items() if v}' 'j["fleet"]["verdict"]'
}
mkdir out
for rank in 0 1 2 3 4 5 6 7; do
    measure $rank 60000 a 'saxpy fill'
done
show
# Wrong in one workload: no time of the device counts, not even one that is slow. What the sentence says does not matter.
measure 1 66000 a 'saxpy fill' ,wrong=100
sed -i 's/wrong output: [^"]*"/byte 5 is 0, expected 1"/' out/a1.json
show
# Slow in one workload, failed in another; failed alone; without a time in one.
measure 2 66000 a saxpy
measure 2 60000 b fill ,hang=30
measure 3 60000 a saxpy
measure 3 60000 b fill ,hang=30
measure 4 60000 a saxpy
show
try kerntime fleet out | grep '^undecided\|^n4\|^note: fill'
# A later result of a rank counts alone, whatever was wrong with the one before.
sed -i 's/"started": "simulated"/"started": "2026-01-31T12:00:00Z"/' out/*
measure 1 60000 b 'saxpy fill'
sed -i 's/"started": "simulated"/"started": "2026-01-31T13:00:00Z"/' out/b1.json
show
json_value fleet.json '"\n".join(j["fleet"]["notes"])'
# One device lost its device time, and is slow: wall time is compared for all. Others lack nothing.
measure 5 66000 a 'saxpy fill --timing wall'
show
# Results that cannot be read are a result that lacks; they are not written over.
rm out/*[12345].json
head -c 3000 out/a6.json >out/half.json
rm out/a6.json
try kerntime fleet out -q --json out/half.json
try kerntime fleet out -q | grep '^note: out\|^verdict'
rm -r out fleet.json
