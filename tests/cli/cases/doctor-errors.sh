# SPDX-License-Identifier: MIT
# Wrong usage and missing devices are told before anything is measured, and nothing is written.
try kerntime doctor matmul
try kerntime doctor --csv file
try kerntime doctor --size 8
try kerntime doctor --timeout soon
try kerntime doctor -d cpu:7 --json file
try kerntime doctor -d abacus:0
try kerntime doctor -d sim:0 --json - --markdown -
try kerntime doctor -d sim:0 --json missing/file
KERNTIME_BACKENDS=opencl KERNTIME_LIB_OPENCL=/no/library try kerntime doctor
exit 0
