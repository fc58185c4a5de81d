# Files for programs, but for what differs from run to run.
kerntime trace -q --json j --csv c --gbench g -- "$KT_FAKE_TRACED" device opencl:0 'Some, GPU' 1 idle 2000 slower 3 \
    kernel 'gemm<float, 4>' 100 20000 untimed never 2 3 flying 4 copy host-to-device 30 10000 4194304 map map 1 100000
check_json j
grep '"kind"' j
grep '"name": "Some, GPU"' j
json_value j 'sorted(j)' 'sorted(j["runs"][0])' 'j["command"][-1], j["runs"][0]["exit_code"], j["notes"]'
sed 's/,[0-9]*,20[-0-9T:Z]*,[^,]*,\("Some\)/,WALL,STARTED,HOST,\1/' c
json_value g '"\n".join(str(b) for b in j["benchmarks"])' 'sorted(j["context"])'
# Repetitions are runs; the devices tell rows apart.
kerntime trace -q --runs 2 --json j --gbench g --csv c -- "$KT_FAKE_TRACED" device opencl:0 A 1 kernel a 5 1000 \
    device opencl:1 B 1 kernel a 5 2000 fill z 1 10
check_json j
json_value g '[(b["name"], b["family_index"], b["repetition_index"], b["repetitions"], b["real_time"]) for b in j["benchmarks"]]'
json_value j '[(r["run"], len(r["rows"])) for r in j["runs"]]'
cut -d, -f1-7 c
# A program that a signal ends.
kerntime trace -q --json j -- "$KT_FAKE_TRACED" device opencl:0 A 1 kernel a 5 1000 kill 9
code=$?
check_json j
json_value j 'j["runs"][0]["exit_code"], j["runs"][0]["signal"], j["runs"][0]["rows"][0]["n"]'
rm j g c
return $code
