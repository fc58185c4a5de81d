# rusticl of Mesa 22.3 answers 0, 1, 2, 3 for all stamps: the doctor finds that, and says nothing else of them. A later one
# may have learned to tell the truth; then there is nothing to find here.
unset KERNTIME_LIB_OPENCL
export OCL_ICD_VENDORS=rusticl.icd RUSTICL_ENABLE=llvmpipe
kerntime devices -d opencl >devices 2>&1 || skip "no rusticl here: $(cat devices)"
kerntime doctor -d opencl:0 -q --json file >/dev/null
check_json file
json_value file 'j["devices"][0]["distrust"]' >distrust
if "$KT_OPENCL_CAN" times; then
    [ "$(cat distrust)" = None ] || { cat distrust; exit 1; }
    skip "this rusticl has stamps that move, and they are believed; conformance.rusticl measures by them"
fi
grep -q 'made up' distrust || exit
json_value file '[(f["severity"], "made up" in f["seen"]) for f in j["findings"] if f["check"] == "believed"]' \
    '[f["check"] for f in j["findings"] if f["check"] in ("grid", "floor", "order", "states", "width", "place", "drift")]'
rm devices distrust file
