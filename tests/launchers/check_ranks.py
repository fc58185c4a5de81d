# SPDX-License-Identifier: MIT
"""check_ranks.py COUNT VARIABLE FILE...: each rank of COUNT, all on one node, has one file: its own place, of one job, on its own
device of sim, which has four. In place of VARIABLE, NODE,...: of several nodes, one rank on each. MPICH's mpirun names no job.
Exit 1 if not."""

import json
import sys

count, variable, *files = sys.argv[1:]
nodes = sys.argv[2].split(",") if "," in sys.argv[2] else None
found = {}
for name in files:
    with open(name, encoding="utf-8") as file:
        document = json.load(file)
    launch = document["launch"]
    (device,) = document["devices"]
    local = 0 if nodes else launch["rank"]
    node = nodes[launch["rank"]] if nodes else None
    wrong = [launch["size"] != int(count), launch["local_rank"] != local, (not launch["job"]) != (variable == "PMI_RANK"),
             not nodes and device["id"] != f"sim:{local % 4}", nodes and launch["node"] != node,
             not nodes and launch["variable"] != variable, launch["rank"] in found]
    if any(wrong):
        sys.exit(f"{name}: {launch} {device['id']}: {wrong}")
    found[launch["rank"]] = launch["job"]
if sorted(found) != list(range(int(count))) or len(set(found.values())) != 1:
    sys.exit(f"ranks {found}")
