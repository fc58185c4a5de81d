# SPDX-License-Identifier: MIT
# Files for programs, but for what differs from run to run.
# One start of Python for all: it is most of the time that this takes.
values()
{
    /usr/bin/python3 -c '
import json, sys
f = lambda name: json.load(open(name))
for expression in sys.argv[1:]:
    print(eval(expression))' "$@"
}
kerntime trace -q --json j --csv c --gbench g -- "$KT_FAKE_TRACED" device opencl:0 'Some, GPU' 1 idle 2000 slower 3 \
    kernel 'gemm<float, 4>' 100 20000 untimed never 2 3 flying 4 copy host-to-device 30 10000 4194304 map map 1 100000
grep '"kind"' j
grep '"name": "Some, GPU"' j
sed 's/,[0-9]*,20[-0-9T:Z]*,[^,]*,\("Some\)/,WALL,STARTED,HOST,\1/' c
# Repetitions are runs; the devices tell rows apart.
kerntime trace -q --runs 2 --json j2 --gbench g2 --csv c -- "$KT_FAKE_TRACED" device opencl:0 A 1 kernel a 5 1000 \
    device opencl:1 B 1 kernel a 5 2000 fill z 1 10
cut -d, -f1-7 c
# A program that a signal ends.
kerntime trace -q --json j3 -- "$KT_FAKE_TRACED" device opencl:0 A 1 kernel a 5 1000 kill 9
code=$?
check_json j j2 j3
values 'sorted(f("j"))' 'sorted(f("j")["runs"][0])' \
    '(f("j")["command"][-1], f("j")["runs"][0]["exit_code"], f("j")["notes"])' \
    '"\n".join(str(b) for b in f("g")["benchmarks"])' 'sorted(f("g")["context"])' \
    '[(b["name"], b["family_index"], b["repetition_index"], b["repetitions"], b["real_time"]) for b in f("g2")["benchmarks"]]' \
    '[(r["run"], len(r["rows"])) for r in f("j2")["runs"]]' \
    '[(r["exit_code"], r["signal"], r["rows"][0]["n"]) for r in f("j3")["runs"]]'
rm j j2 j3 g g2 c
return $code
