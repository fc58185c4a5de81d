try kerntime nothing
try kerntime --nothing
try kerntime ""
try kerntime Bench
try kerntime devices opencl
exit 0
