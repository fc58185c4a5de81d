# SPDX-License-Identifier: MIT
# rusticl of Mesa 22.3 answers 0, 1, 2, 3 for all timestamps: the doctor finds that, and says nothing else of them. A later one
# may have learned to tell the truth; then there is nothing to find here.
unset KERNTIME_LIB_OPENCL
export OCL_ICD_VENDORS=rusticl.icd RUSTICL_ENABLE=llvmpipe
kerntime devices -d opencl >devices 2>&1 || skip "no rusticl here: $(cat devices)"
kerntime doctor -d opencl:0 --timeout 2min -q --json file >/dev/null
check_json file
json_value file 'j["devices"][0]["untrusted"]' >untrusted
if "$KT_OPENCL_CAN" times; then
    [ "$(cat untrusted)" = None ] || { cat untrusted; exit 1; }
    skip "this rusticl has timestamps that move, and they are trusted; conformance.rusticl measures by them"
fi
grep -q 'all returned tick' untrusted || exit
json_value file '[(f["severity"], "all returned tick" in f["seen"]) for f in j["diagnostics"] if f["check"] == "untrusted"]' \
    '[f["check"] for f in j["diagnostics"] if f["check"] in ("resolution", "min_span", "order", "states", "width", "placement", "drift")]'
rm devices untrusted file
