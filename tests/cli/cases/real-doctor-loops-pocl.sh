# SPDX-License-Identifier: MIT
# PoCL ends loops by themselves, and compiles before the first timestamp of the first run. Its pages are touched between them.
unset KERNTIME_LIB_OPENCL
export OCL_ICD_VENDORS=pocl.icd
kerntime devices -d opencl >devices 2>&1 || skip "no PoCL here: $(cat devices)"
kerntime doctor -d opencl:0 -q --json file >/dev/null
echo "exit $?"
json_value file '"\n".join(f["severity"] + " " + f["seen"] for f in j["diagnostics"] if f["check"] in ("loops", "first_use"))' >text
grep -o 'good a loop of 1[0-9,]* iterations runs to its end' text | sed 's/1,000,000/100,000/'
grep -o 'note .*first run of a new kernel takes .* longer' text | sed 's/takes .* longer/takes ... longer/'
rm devices file text
