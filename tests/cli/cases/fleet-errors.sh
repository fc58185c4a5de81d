# SPDX-License-Identifier: MIT
# What cannot be read is named, and the rest is judged; nothing to judge is wrong usage.
try kerntime fleet
try kerntime fleet none
mkdir out
try kerntime fleet out
try kerntime fleet out --by rack
try kerntime fleet out --alpha 60%
measure()
{
    kerntime bench fill --size "$3" --samples 20..20 --runs 3 -q -d "sim:0:kernel_ns=60000,jitter_ns=80,seed=$1,uuid=$2" --json "out/$4.json" \
        >/dev/null 2>&1
}
for device in 1 2 3; do
    measure $device $device 4096 good$device
done
try kerntime fleet out --json out/good1.json/x
try kerntime fleet out/good1.json out/good2.json --json out/good1.json
try kerntime fleet out --markdown out/good2.json
# Copies have one id, which sim alone does not give; other workloads; other schemas; half a file; no result.
sed 's/"started"/"document_id": "00112233445566778899aabbccddeeff", &/' out/good3.json >out/good3a.json
mv out/good3a.json out/good3.json
cp out/good3.json out/good3b.json
measure 4 4 64 other
head -c 2000 out/good1.json >out/half.json
: >out/empty.json
echo '{"schema": "kerntime/2"}' >out/newer.json
echo '[]' >out/list.json
python3 - out/good2.json >out/absurd.json <<'END'
import json, sys
def scale(value):
    return [scale(x) for x in value] if isinstance(value, list) else value and value * 1e295
document = json.load(open(sys.argv[1]))
for s in document["series"]:
    s.update({key: scale(value) for key, value in s.items() if key.endswith("_ns")})
print(json.dumps(document))
END
kerntime devices -d sim:0 --json out/devices.json >/dev/null
kerntime doctor -d sim:0 -q --json out/doctor.json >/dev/null
mkdir out/folder.json
echo 'not even JSON' >out/notes.txt
cp out/good1.json out/.hidden.json
try kerntime fleet out out/good1.json -q --json fleet.json
check_json fleet.json
json_value fleet.json '"\n".join(f["path"] + ": " + f["problem"] for f in j["fleet"]["files"]["left_out"])'
cp fleet.json out
try kerntime fleet out/fleet.json out/half.json
# A name of a file is no command for the terminal; nobody waits for what is no file.
mkdir strange
cp fleet.json "$(printf 'strange/\033[31mred.json')"
mkfifo strange/pipe.json
try kerntime fleet strange
try kerntime compare fleet.json out/good1.json
# However long a sentence is, its end is there.
name=$(printf %0250d 0)
mkdir -p "out/$name/$name/$name/$name/$name"
cp out/list.json "out/$name/$name/$name/$name/$name"
kerntime fleet out/good?.json "out/$name/$name/$name/$name/$name/list.json" -q | sed -n 's/^note.*list.json/list.json/p'
rm -r out strange fleet.json
