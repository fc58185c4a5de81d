# SPDX-License-Identifier: MIT
# Answers that are doubtful, each with a sentence. One device is measured by each call.
measure()
{
    kerntime bench saxpy --size 4096 --samples 20..20 --runs 2 -q --json "out/$4.json" \
        -d "sim:0:kernel_ns=$3,jitter_ns=80,seed=$4,uuid=$1,pci=$2" >/dev/null 2>&1
}
# The node of a device is known by its launcher's name of it.
on_node()
{
    name=$1
    shift
    SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1 SLURM_JOB_ID=$4 SLURMD_NODENAME=$name measure "$@"
}

# Five of eight are slow: the median is one of theirs, and the others are fast.
mkdir out
for device in 1 2 3 4 5 6 7 8; do
    measure $device 1 $((device > 3 ? 66000 : 60000)) $device
done
try kerntime fleet out --json fleet.json | sed -n '/^note/p; /^verdict/p'
json_value fleet.json 'j["fleet"]["verdict"]' 'j["fleet"]["counts"]["good"]'

# One half is 5 % slow: the median is no device's, and none is more than 3 % from it. More runs would not help.
for device in 1 2 3 4 5 6 7 8; do
    measure $device 1 $((device > 4 ? 63000 : 60000)) $device
done
try kerntime fleet out | sed -n '/^note/p; /^verdict/p'
# Equal devices in the middle are no gap, though those beside them are 7 % apart.
rm out/*.json
for device in 1 2 3 4 5 6 7 8 9 10; do
    kerntime bench saxpy --size 4096 --samples 20..20 --runs 2 -q --json out/$device.json \
        -d "sim:0:kernel_ns=$((60000 - (device < 3) * 3000 + (device > 8) * 1000)),seed=$device,uuid=$device" >/dev/null
done
try kerntime fleet out | sed -n '/^note/p; /^verdict/p'

# A device that was repaired: both files count, and neither is what it is. Others stay as they are.
rm out/*.json
for device in 1 2 3 4 5 6; do
    on_node n$device $device 1 60000 $device
    on_node n$device $device 1 $((device == 3 ? 63000 : 60010)) 1$device
done
try kerntime fleet out | sed -n '/^n3/p; /^note/p; /^verdict/p'
rm out/1?.json

# Two devices have another driver. They are not judged, which leaves the answer of the others.
sed -i 's/"driver": "scripted"/"driver": "older"/' out/1.json out/2.json
try kerntime fleet out --json fleet.json | sed -n '/^note/p; /^verdict/p'
json_value fleet.json 'j["fleet"]["verdict"]' \
    '[(d["node"], d["reason"]) for d in j["fleet"]["devices"] if d["answer"] == "undecided"]'
rm out/*.json

# Four slots on six nodes. Three slow devices may meet in one slot by chance, four do not.
for node in 1 2 3 4 5 6; do
    for slot in 1 2 3 4; do
        on_node n$node $node$slot $slot $((slot == 2 && node < 5 ? 66000 : 60000)) $node$slot
    done
done
try kerntime fleet out -q | grep ^slot
try kerntime fleet out -q --slurm | grep -c drain
on_node n4 42 2 60000 42
try kerntime fleet out -q | grep -c ^slot

# About as slow as the minimum effect: more runs decide one of two.
rm out/*.json
for device in 1 2 3 4 5 6; do
    measure $device 1 $((60000 + (device == 1) * 1805 + (device == 2) * 1840)) $device
done
try kerntime fleet out | grep '^verdict'
try kerntime fleet out --alpha 50% --min-effect 2% | grep '^verdict'

# One step of the clock is 5 % of the time: rounding hides one that is 2.7 % slower, and shows it 5 % slower.
rm out/*.json
for device in 1 2 3 4 5 6; do
    measure $device 1 $((20000 + device * 10 + (device == 6) * 500)),resolution_ns=1000 $device
done
try kerntime fleet out -q --json fleet.json | grep '^note\|^verdict'
json_value fleet.json '[(d["answer"], d["reason"]) for d in j["fleet"]["devices"]][:1]'

# No device has a device time in one workload: wall time is compared, or else a sentence says so.
for device in 1 2 3 4 5 6; do
    kerntime bench saxpy fill --size 4096 --samples 20..20 --runs 2 -q --json out/$device.json \
        -d "sim:0:kernel_ns=60000,jitter_ns=80,seed=$device,uuid=$device" >/dev/null 2>&1
done
edit() # EXPRESSION: whether a series `s` of the file stays; those of fill lose their device time
{
    python3 - "$1" out/*.json <<'END'
import json, sys
for path in sys.argv[2:]:
    document = json.load(open(path))
    document["series"] = [s for s in document["series"] if eval(sys.argv[1])]
    for s in document["series"]:
        if s["workload"] == "fill" and s["kind"] == "kernel":
            s["status"] = "below_min_span"
            s.update({key: None for key in s if key.endswith("_ns") and key not in ("samples_ns", "first_use_ns", "warmup_ns")})
    json.dump(document, open(path, "w"))
END
}
edit True
try kerntime fleet out -q | grep '^note\|^verdict\|^[sf].*/4096 '
edit 's["kind"] == "kernel"'
try kerntime fleet out -q | grep '^note\|^verdict\|^[sf].*/4096 '

# Times of two methods are not compared, and their names tell them apart.
edit 's["workload"] == "saxpy"'
sed -i 's/"method": "simulated", "clock"/"method": "event-pair", "clock"/g' out/[12].json
try kerntime fleet out -q --csv fleet.csv | grep '^note\|^saxpy'
cut -d , -f 9-15 fleet.csv | grep method
grep -c kernel,event-pair,false fleet.csv
rm -r out fleet.json fleet.csv
