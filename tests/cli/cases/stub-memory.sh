# SPDX-License-Identifier: MIT
# 7000 bytes in all, where the device says that it has 4 GiB: matmul takes 3 * 4 n^2 bytes, so 14 and 15 (2352 and 2700)
# fit together, 16 (3072) beside them does not. It is measured by itself, when they are gone; 25 (7500) never fits.
KT_STUB_OPENCL=memory=7000
export KT_STUB_OPENCL
try kerntime bench matmul --size 14,15,16 -d opencl:0 --timing wall --baseline-samples 0 --samples 10..10 -q --json file \
    >/dev/null
json_value file '[(s["name"], s["status"], s["n"]) for s in j["series"]]'
try kerntime bench matmul --size 14,25,16,15 -d opencl:0 -d sim:0 --timing wall --baseline-samples 0 --samples 10..10 -q \
    --json file >/dev/null
json_value file '[(s["name"], s["device"], s["status"], s["n"]) for s in j["series"]]'
rm file
# Several that fail alike name the call alike.
try kerntime bench matmul --size 25,26 -d opencl:0 --timing wall --baseline-samples 0 --samples 10..10 -q >/dev/null
true
