# PoCL ends loops by themselves, and compiles before the first stamp of the first run. Its pages are touched between them.
unset KERNTIME_LIB_OPENCL
export OCL_ICD_VENDORS=pocl.icd
kerntime devices -d opencl >devices 2>&1 || skip "no PoCL here: $(cat devices)"
kerntime doctor -d opencl:0 -q >text
echo "exit $?"
grep -o 'good .*a loop of 1[0-9,]* iterations ends by itself' text | sed 's/1,000,000/100,000/' | tr -s ' '
grep -o 'note .*first run of a new kernel takes .* longer' text | sed 's/takes .* longer/takes ... longer/' | tr -s ' '
rm devices text
