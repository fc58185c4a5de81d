# SPDX-License-Identifier: MIT
# Both devices of a node are slow; a slot is slow on four nodes, as chance may have it. The job has no name, and one node an odd one.
measure()
{
    SLURM_PROCID=$1 SLURM_STEP_NUM_TASKS=14 SLURMD_NODENAME=$2 kerntime bench fill saxpy --size 4096 --samples 20..20 --runs 3 -q \
        -d "sim:0:kernel_ns=$3,jitter_ns=80,seed=$1$1,uuid=$(($1 + 1)),pci=$(($1 % 2 + 1))" --json out/%r.json >/dev/null 2>&1
}
mkdir out
for node in 0 1 2 3; do
    measure $((2 * node)) a$node 60000
    [ $node = 3 ] || measure $((2 * node + 1)) a$node 60000
done
measure 8 b1 66000
measure 9 b1 66000
measure 11 b2 66000
measure 7 a3 66000
measure 13 'b3; reboot' 66000
measure 12 "$(printf 'b4\033[2J')" 60000
try kerntime fleet out
try kerntime fleet out -q --by node | sed -n '/^NODE  *DEVICES/,/^$/p'
try kerntime fleet out -q --slurm
try kerntime fleet out -q --again | sed 's/kerntime bench.*--json/.../'
# A device that lacks a workload, which the others have; and one whose name another has.
SLURM_PROCID=10 SLURM_STEP_NUM_TASKS=14 SLURMD_NODENAME=a3 kerntime bench fill --size 4096 --samples 20..20 --runs 3 -q \
    -d "sim:0:kernel_ns=60000,uuid=11,pci=1" --json out/%r.json >/dev/null
sed 's/"id": "[^"]*"/"id": "sim:0"/; s/"device": "[^"]*"/"device": "sim:0"/' -i out/6.json out/7.json
try kerntime fleet out -q --verbose | grep '^note\|^a3\|^verdict'
rm -r out
