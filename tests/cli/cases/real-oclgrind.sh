# SPDX-License-Identifier: MIT
# Oclgrind says that its clock resolves 1000 ns, which is so: its timestamps are whole microseconds, rounded to 256 ns by a double.
unset KERNTIME_LIB_OPENCL
export OCL_ICD_VENDORS=/usr/lib/oclgrind/liboclgrind-rt-icd.so
[ -f $OCL_ICD_VENDORS ] || skip "no Oclgrind here (Debian 13 has none): unit.first_readings has its clock"
kerntime devices -d opencl >devices 2>&1 || skip "no Oclgrind here: $(cat devices)"
grep -qi oclgrind devices || skip "opencl is not Oclgrind here"
kerntime bench matmul --size 8 -d opencl --samples 3..3 --baseline-samples 0 --raw -q --json file >/dev/null
echo "exit $?"
check_json file
recompute_raw file
json_value file 'j["devices"][0]["resolution_ns"]' 'j["series"][0]["verified"]'
rm devices file
