# SPDX-License-Identifier: MIT
# A size over the device's limit (see stub-too-large) is the same answer with several runs as with one; each run loads
# the driver for itself, and the baselines are those of the first.
KT_STUB_OPENCL=max_alloc=1024
export KT_STUB_OPENCL
try kerntime bench matmul --size 17 -d opencl:0 --baseline-samples 0 -q --runs 2 >/dev/null
try kerntime bench matmul --size 16,17 -d opencl:0 --timing wall --baseline-samples 2 -q --runs 2 --json file >/dev/null
check_json file
json_value file '[(s["name"], s["status"], s["run"], s["speedup"] is None) for s in j["series"]]' \
    '[(b["params"], b["name"], len(b["samples_ns"])) for b in j["baselines"]]' \
    '[s["speedup"] == j["baselines"][0]["median_ns"] / s["median_ns"] for s in j["series"] if s["speedup"]]'
rm file
# A loader that cuts its own variable cuts that of this process alone.
try env KT_STUB_OPENCL=cuts_environment=1 OCL_ICD_FILENAMES=first:second kerntime bench matmul --size 16 -d opencl:0 \
    --timing wall --baseline-samples 0 --samples 6..6 -q --runs 2 --json file >/dev/null
json_value file '[(s["name"], s["status"], s["run"]) for s in j["series"]]'
rm file
