# SPDX-License-Identifier: MIT
# What can be known before work starts is said in one sentence, with what there would be in its place.
try kerntime copy heap -d sim:0
try kerntime copy -d sim:0 --kind attic
try kerntime copy -d sim:0 --kind heap,attic,host
try kerntime copy -d sim:0 --kind heap,
try kerntime copy -d sim:0 --kind ''
try kerntime copy -d sim:0 --direction heap-attic
try kerntime copy -d sim:0 --direction heap-device,heap-heap-map # nothing of the host's can be mapped
try kerntime copy -d sim:0 --kind host --direction host-device
for size in 0 '' 8kib 1.5GiB 1.5MiB 8KiB.. 64KiB..8KiB 1025GiB; do
    try kerntime copy -d sim:0 --size "$size"
done
try kerntime copy -d sim:0,cpu:0 --size 8KiB # all other lists take commas
try kerntime copy -d sim:0:seed=1,cpu
try kerntime copy -d sim:0 --cold --trials 2
try kerntime copy -q -d sim:0 --size 8KiB --direction device-host-map --trials 8 >/dev/null
try kerntime copy -d sim:0 --variant tiled
try kerntime copy -d sim:0 --baseline-samples 1
try kerntime copy -d sim:0 --runs 2 --trace file
try kerntime copy -d cpu:0 --direction heap-heap,heap-device
try kerntime copy -d cpu:0 --kind device
try kerntime bench matmul -d sim:0 --kind heap
true
