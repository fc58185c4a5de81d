# SPDX-License-Identifier: MIT
# What fails in a run is told with the run's number, and the other runs go on.
try kerntime bench matmul --size 32,64 -d sim:0:fail=3 -d sim:1 --runs 2 --json file >/dev/null
json_value file '[(s["name"], s["device"], s["run"], s["status"]) for s in j["series"] if s["step"] == "matmul"]'
try kerntime bench matmul --size 32 -d sim:0:hang=2 --runs 2 -q --timeout 100ms --json file >/dev/null
json_value file '[(s["step"], s["run"], s["status"]) for s in j["series"]]'
rm file
