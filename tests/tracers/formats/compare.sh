# SPDX-License-Identifier: MIT
# Two traces, kernel by kernel.
run()
{
    file=$1
    shift
    kerntime trace -q --json "$file" "$@"
}
# One start of Python for all: it is most of the time that this takes.
verdicts()
{
    /usr/bin/python3 -c '
import json, sys
for file in sys.argv[1:]:
    print(file)
    for row in json.load(open(file))["rows"]:
        print(row["name"], row["step"], row["variant"], row["verdict"], row["reason"] or "")' "$@"
}
program()
{
    echo device opencl:0 GPU 1 slower 3 kernel gemm 100 "$1" kernel relu 300 3000 copy host-to-device 30 10000 4096 fill gemm 5 1000
}
# shellcheck disable=SC2046 # words
run old1 -- "$KT_FAKE_TRACED" $(program 20000)
run same1 -- "$KT_FAKE_TRACED" $(program 20000)
run slow1 -- "$KT_FAKE_TRACED" $(program 40000) kernel new 5 1000
# One run of each: what has not changed is never called so, and a factor of 2 is likely.
try kerntime compare old1 same1 -q --json once-same >/dev/null
try kerntime compare old1 slow1 -q --json once-slow >/dev/null
# The runs of a document count: with enough of them, what has not changed is the same, although times in traces
# have a resolution of up to 3 %. Who asks for less is told so.
for file in old same slow; do
    ns=20000
    [ $file = slow ] && ns=40000
    run $file --runs 6 -- "$KT_FAKE_TRACED" $(program $ns)
done
try kerntime compare old same -q --json runs-same >/dev/null
try kerntime compare old slow -q --json runs-slow >/dev/null
try kerntime compare old same --min-effect 1% >/dev/null
# The same file, another device under the same name, sizes, and files of other kinds.
try kerntime compare old old -q --json identical >/dev/null
run other -- "$KT_FAKE_TRACED" device opencl:0 'Other GPU' 1 kernel gemm 100 20000
try kerntime compare old other -q --json other-device >/dev/null
run sizes --by-size -- "$KT_FAKE_TRACED" device opencl:0 GPU 1 sized a 64 10 1000 sized a 128 10 2000
try kerntime compare sizes sizes -q --json by-size >/dev/null
# Devices of one id in two processes.
run twice -- "$KT_FAKE_TRACED" device opencl:0 'GPU A' 1 kernel a 10 2000 fork device opencl:0 'GPU B' 1 kernel a 10 3000
try kerntime compare twice twice -q --json devices >/dev/null
kerntime bench fill --size 8 -d sim:0 --samples 6..6 -q --json result >/dev/null
try kerntime compare old result
sed 's/"n": 100,/"n": 101,/' old >wrong
try kerntime compare wrong old
check_json once-same once-slow runs-same
verdicts once-same once-slow runs-same runs-slow identical other-device by-size devices
json_value devices 'sorted(r["device"] for r in j["rows"])'
rm old1 same1 slow1 old same slow other sizes twice result wrong once-* runs-* identical other-device by-size devices
