# Two traces, kernel by kernel.
run()
{
    file=$1
    shift
    kerntime trace -q --json "$file" "$@"
}
verdicts()
{
    json_value verdicts '"\n".join(str((r["name"], r["step"], r["variant"], r["verdict"])) for r in j["rows"])'
}
program()
{
    echo device opencl:0 GPU 1 slower 3 kernel gemm 100 "$1" kernel relu 300 3000 copy host-to-device 30 10000 4096 fill gemm 5 1000
}
# shellcheck disable=SC2046 # words
run old -- "$KT_FAKE_TRACED" $(program 20000)
run same -- "$KT_FAKE_TRACED" $(program 20000)
run slow -- "$KT_FAKE_TRACED" $(program 40000) kernel new 5 1000
# One run of each: what has not changed is never called so, and a factor of 2 is likely.
try kerntime compare old same -q --json verdicts >/dev/null
check_json verdicts
verdicts
try kerntime compare old slow -q --json verdicts >/dev/null
check_json verdicts
verdicts
# The runs of a document count.
for file in old same slow; do
    ns=20000
    [ $file = slow ] && ns=40000
    run $file --runs 3 -- "$KT_FAKE_TRACED" $(program $ns)
done
try kerntime compare old same -q --json verdicts >/dev/null
verdicts
try kerntime compare old slow -q --json verdicts >/dev/null
verdicts
# The same file, another device under the same name, sizes, and files of other kinds.
try kerntime compare old old -q --json verdicts >/dev/null
verdicts
run other -- "$KT_FAKE_TRACED" device opencl:0 'Other GPU' 1 kernel gemm 100 20000
try kerntime compare old other -q --json verdicts >/dev/null
json_value verdicts '[(r["name"], r["reason"]) for r in j["rows"]]'
run sizes --by-size -- "$KT_FAKE_TRACED" device opencl:0 GPU 1 sized a 64 10 1000 sized a 128 10 2000
try kerntime compare sizes sizes -q --json verdicts >/dev/null
verdicts
# Devices of one id in two processes.
run twice -- "$KT_FAKE_TRACED" device opencl:0 'GPU A' 1 kernel a 10 2000 fork device opencl:0 'GPU B' 1 kernel a 10 3000
json_value twice 'sorted(d["id"] for d in j["runs"][0]["devices"])'
try kerntime compare twice twice -q --json verdicts >/dev/null
json_value verdicts 'sorted((r["name"], r["device"], r["verdict"]) for r in j["rows"])'
kerntime bench fill --size 8 -d sim:0 --samples 6..6 -q --json result >/dev/null
try kerntime compare old result
sed 's/"n": 100,/"n": 101,/' old >wrong
try kerntime compare wrong old
rm old same slow other sizes twice result wrong verdicts
