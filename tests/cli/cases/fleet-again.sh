# SPDX-License-Identifier: MIT
# Suspects are measured once more by the commands that --again prints; the new files alone show who is slow.
measure() # RANK KERNEL_NS WORKLOAD OPTION...
{
    rank=$1 kernel_ns=$2
    shift 2
    SLURM_JOB_ID=$job SLURM_STEP_ID=0 SLURM_PROCID=$rank SLURM_STEP_NUM_TASKS=12 SLURMD_NODENAME=n$((rank / 4)) \
        kerntime bench "$@" --samples 20..20 --runs 3 -q -d "sim:0:kernel_ns=$kernel_ns,jitter_ns=80,seed=$rank,uuid=$((rank + 1))" \
        --json "out/$job.%r.json" >/dev/null 2>&1
}
begin() # again with the first fleet, in which rank 5 is slow
{
    rm -rf out again
    cp -r first out
}
mkdir out
job=47
for rank in 0 1 2 3 4 6 7 8 9 10 11; do
    measure $rank 60000 saxpy --size 4096
done
measure 5 63000 saxpy --size 4096
cp -r out first

# One, two, and a whole node, which are found again. sim keeps its scenarios, so what srun would start on a node starts here.
for more in '' 9 '4 6 7'; do
    begin
    for rank in $more; do
        measure $rank 63000 saxpy --size 4096
    done
    try kerntime fleet out --again -q >commands
    cat commands
    sed 's/^srun .* kerntime /kerntime /' commands | sh >/dev/null
    try kerntime fleet again -q --json fleet.json >/dev/null
    json_value fleet.json '[(d["id"], d["answer"]) for d in j["fleet"]["devices"] if d["answer"] != "good"]' \
        'len(j["fleet"]["devices"])'
done
sh commands 2>err && exit 1 # a second time writes over nothing
rm commands fleet.json err

# A whole node has one finding; and nothing is to be drained.
try kerntime fleet out --slurm -q
rm out/47.[4567].json
try kerntime fleet out --slurm

# Of several measurements, the one that showed it is repeated, without devices and outputs, however they were written. A
# folder of new files is new.
begin
job=48
for rank in 0 1 2 3 4 8; do
    more=
    [ $rank != 8 ] || more=,wrong=1
    measure $rank $((60000 + (rank == 4) * 6000))$more fill --si 1024,2048 --markd "out/%r.md" --gbench-rep --gbench "out/%r.txt" --baseline-samples 0
done
mkdir again
try kerntime fleet out --again
try kerntime fleet out --slurm
try kerntime fleet out --slurm --again
# A reader who has not got all of it has no answer.
if [ -w /dev/full ]; then
    try kerntime fleet out --slurm -q >/dev/full
else
    printf '$ kerntime fleet out --slurm -q\nkerntime: standard output: not all of it could be written\nexit 4\n' >&2
fi

# A launcher that shows each rank one GPU gives all of a node one id: UUIDs tell them apart, of CUDA's.
begin
sed -i 's/"id": "[^"]*"/"id": "cuda:0"/; s/"device": "[^"]*"/"device": "cuda:0"/' out/*
try kerntime fleet out --again -q
sed -i 's/"cuda:0"/"hip:0"/' out/*
try kerntime fleet out --again
try kerntime fleet out --slurm -q

# Other numbers may come of what a launcher shows, too. With another driver a device counts twice, and is measured once.
for rank in 0 1 2 3 4 5 6 7 8 9 10 11; do
    sed -i "s/\"hip:0\"/\"cuda:$((rank % 4))\"/" "out/47.$rank.json"
done
try kerntime fleet out --again -q
sed -i 's/"cuda:/"hip:/' out/*
for file in out/*; do
    sed 's/"driver": "[^"]*"/"driver": "new"/' "$file" >"${file%.json}.new.json"
done
try kerntime fleet out -q | grep '^n1 .*slow\|^note'
try kerntime fleet out --again
rm out/47.5.*
try kerntime fleet out --again

# Each launcher starts its own way; that of Slurm is known by the node that it names.
for launcher in PMI_RANK:n1 FLUX_TASK_RANK: OMPI_COMM_WORLD_RANK: RANK:; do
    begin
    sed -i "s/\"variable\": \"[^\"]*\"/\"variable\": \"${launcher%:*}\"/; s/\"node\": \"[^\"]*\"/\"node\": \"${launcher#*:}\"/; s/\"name\": \"simulated\"/\"name\": \"h\"/" out/*
    try kerntime fleet out --again -q | sed "s/kerntime bench.*--json/.../; s|$PWD|HERE|"
done

# One run would show no noise.
begin
sed -i 's/"--runs", *"3", *//' out/47.5.json
try kerntime fleet out --again -q | grep -o 'kerntime .* --baseline-samples 0'

# What the parser refuses is not repeated, nor is what a terminal would show as something else.
begin
sed -i 's/"--size", *"4096"/"--internal-run", "1"/' out/47.5.json
try kerntime fleet out --again
sed -i 's/"--internal-run", "1"/"--size", "4096", "fill\\u001b[2J"/' out/47.5.json
try kerntime fleet out --again -q
sed -i 's/"fill\\u001b/"--fill\\u001b/' out/47.5.json
try kerntime fleet out --again -q

# Half of all are suspects, so that the others are too few; and what fails on most devices is no fault of their nodes.
begin
job=47
for rank in 0 1 2 3 4 6; do
    measure $rank 60000,wrong=1 saxpy --size 4096
done
try kerntime fleet out --again -q >commands
grep -c wrong=1 commands
rm commands
measure 7 60000,wrong=1 saxpy --size 4096
try kerntime fleet out --slurm -q
try kerntime fleet out --again -q | grep -c seed=5
rm -r first out
