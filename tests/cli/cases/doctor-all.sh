# SPDX-License-Identifier: MIT
# Without -d every real device, and what is not here: as `devices` tells it.
KERNTIME_BACKENDS=cpu,opencl KERNTIME_LIB_OPENCL=/no/library kerntime doctor --json file 2>/dev/null >report
echo "exit $?"
grep -c '^cpu:0  .* (cpu), ' report
sed -n 's/^\(not here: [a-z_]*\): .*/\1/p' report
grep -c '^  shortest kernel with a detectable 10 % difference: [0-9.]* [num]*s ' report
check_json file
json_value file '[b["name"] for b in j["backends"] if b["missing"] is None]' '[f["severity"] for f in j["diagnostics"] if f["severity"] == "fault"]'
# A C function runs many times before its first use is looked at: there is no new one.
json_value file '["of a known kernel" in f["seen"] for f in j["diagnostics"] if f["check"] == "first_use"]'
"$KT_REWRITE" file | cmp - file
# What the documentation's table has of checks that no simulated device has.
diagnostics_table file | grep -e '^rate ' -e '^background '
rm file report
