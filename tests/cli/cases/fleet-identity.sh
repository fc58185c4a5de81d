# SPDX-License-Identifier: MIT
# Which files are of one device, and which are of several runs, ranks or hosts.
measure() # FILE KERNEL_NS SEED OPTION...
{
    file=$1 kernel_ns=$2 seed=$3
    shift 3
    kerntime bench saxpy --size 4096 --samples 20..20 --runs 3 -q -d "sim:0:kernel_ns=$kernel_ns,jitter_ns=80,seed=$seed" "$@" \
        --json "$file" >/dev/null 2>&1
}
# A file as of the GPU of another API, on a host.
hosted() # FILE HOST BOOT_ID DEVICE UUID PCI_ADDRESS
{
    sed "s/\"host\": {.*\"os\"/\"host\": {\"name\": \"$2\", \"boot_id\": \"$3\", \"os\"/
        s/\"id\": \"[^\"]*\"/\"id\": \"$4\"/; s/\"device\": \"[^\"]*\"/\"device\": \"$4\"/; s/\"backend\": \"[a-z]*\"/\"backend\": \"${4%:*}\"/
        s/\"uuid\": \"[^\"]*\"/\"uuid\": \"$5\"/; s/\"pci_address\": \"[^\"]*\"/\"pci_address\": \"$6\"/; s/\"serial\": \"[^\"]*\"/\"serial\": null/" -i "$1"
}
devices() # of the fleet: node, device, runs, answer
{
    json_value fleet.json '[(d["node"], d["id"].split(":k")[0], [t["runs"] for t in d["times"]], d["answer"]) for d in j["fleet"]["devices"]]'
}

# Vulkan's UUIDs are made of the bus address: two equal hosts have equal ones.
mkdir out
for rank in 0 1 2 3 4 5; do
    SLURM_JOB_ID=4 SLURM_PROCID=$rank SLURM_STEP_NUM_TASKS=6 measure out/%r.json $((60000 + rank / 5 * 6000)) $rank
    gpu=$((rank % 3))
    hosted out/$rank.json h$((rank / 3)) b$((rank / 3)) vulkan:$gpu 0000000$gpu 0000:0$gpu:00.0
done
try kerntime fleet out -q --json fleet.json | grep '^[0-9]\|^note\|^verdict'
devices
check_json fleet.json

# After a restart a GPU is another one, since a second host may have this name; one of CUDA is known by its UUID, so that two
# ranks measured it.
hosted out/0.json h9 b8 vulkan:0 00000000 0000:00:00.0
hosted out/1.json h9 b9 vulkan:0 00000000 0000:00:00.0
hosted out/3.json h8 b8 cuda:0 00000000 0000:00:00.0
hosted out/4.json h7 b9 cuda:1 00000000 0000:01:00.0
try kerntime fleet out -q --json fleet.json | grep '^h9\|^note'
devices

# Containers of one name.
hosted out/0.json pod b8 cuda:0 00000000 0000:00:00.0
hosted out/1.json pod b9 cuda:0 00000001 0000:00:00.0
try kerntime fleet out -q | grep '^note'

# Containers of one host have names of their own: two of them measured one GPU.
hosted out/0.json pod0 b9 hip:0 00000000 0000:00:00.0
hosted out/1.json pod1 b9 hip:0 00000000 0000:00:00.0
try kerntime fleet out -q | grep '^measured twice'

# Files without identity: each is of a device of its own, since nobody knows.
rm out/*
for number in 0 1 2 3; do
    measure out/$number.json $((60000 + number / 3 * 12000)) $number --no-identity
done
try kerntime fleet out -q --json fleet.json | grep '^[0-9]\|^note\|^verdict'
devices
check_json fleet.json

# Jobs without a name, whose ranks have other GPUs each time: two runs of each, and nothing was measured twice.
rm out/*
for number in 0 1 2; do
    RANK=$number WORLD_SIZE=3 measure out/a%r.json 60000 $number
    RANK=$(((number + 1) % 3)) WORLD_SIZE=3 measure out/b%r.json 60000 $number
done
try kerntime fleet out -q --json fleet.json >/dev/null
devices
# One file by two paths is one file.
try kerntime fleet out ./out out/a0.json -q --json fleet.json >/dev/null
devices
# A batch script of Slurm is no rank of several, so that none of its measurements replaces another.
rm out/*
for number in 0 1 2 3 4 5; do
    SLURM_JOB_ID=4$((number / 2)) SLURM_PROCID=0 measure out/$number.json 60000 $((number / 2))
done
try kerntime fleet out -q --json fleet.json | grep '^note'
devices
# How many ranks there are is unknown: those between others are missing, at least.
rm out/*
for number in 1 2 5; do
    JOB_COMPLETION_INDEX=$number measure out/%r.json 60000 $number
done
try kerntime fleet out -q --json fleet.json | grep '^missing\|^note\|^verdict'
check_json fleet.json
for number in 6 7; do
    SLURM_JOB_ID=$number PMIX_RANK=0 measure out/$number.json 60000 $number
done
try kerntime fleet out -q | grep '^missing\|^note'
rm -r out fleet.json
