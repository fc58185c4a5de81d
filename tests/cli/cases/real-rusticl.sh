# SPDX-License-Identifier: MIT
# rusticl of Mesa 22.3 answers 0, 1, 2, 3 for all timestamps: its device time is not believed. A later one may have
# learned to tell the truth; then there is nothing to find here.
unset KERNTIME_LIB_OPENCL
export OCL_ICD_VENDORS=rusticl.icd RUSTICL_ENABLE=llvmpipe
kerntime devices -d opencl >devices 2>&1 || skip "no rusticl here: $(cat devices)"
kerntime bench matmul --size 16 -d opencl --samples 3..3 --baseline-samples 0 -q --json file >table || exit
check_json file
json_value file 'j["devices"][0]["untrusted"]' >untrusted
if "$KT_OPENCL_CAN" times; then
    [ "$(cat untrusted)" = None ] || { cat untrusted; exit 1; }
    skip "this rusticl has timestamps that move, and they are believed; conformance.rusticl measures by them"
fi
grep -q 'all returned tick' untrusted || exit
sed -n '/^matmul/p;/no device time/p' table
json_value file '[(s["step"], s["status"], s["method"], s["n"]) for s in j["series"]]'
rm devices untrusted file table
