# SPDX-License-Identifier: MIT
# Wrong usage and unreadable input: a sentence, exit 2, and nothing is written.
kerntime bench empty --size 8 -d sim:0 --samples 6..6 -q --json good >/dev/null
kerntime devices -d sim:0 -q --json devices >/dev/null
kerntime compare good good -q --json comparison >/dev/null
cp good other
echo '{"schema": "kerntime/1", "document": "result"' >half
echo 'no JSON' >words
try kerntime compare
try kerntime compare good
try kerntime compare good other good
try kerntime compare good other --baseline good
try kerntime compare --baseline good
try kerntime compare --contender good
try kerntime compare --baseline good --baseline ./good --contender other
try kerntime compare good other --baseline ''
try kerntime compare --baseline good other --contender good
try kerntime compare - good
kerntime doctor -d sim:0 -q --json doctor >/dev/null
: >empty
printf '{"schema": tru' >cut
for file in missing . half cut words empty /dev/null devices doctor comparison; do
    try kerntime compare good $file --json new --markdown -
    try kerntime compare $file good --json new
done
try kerntime compare good other --min-effect 1
try kerntime compare good other --min-effect 0%
try kerntime compare good other --min-effect 2
try kerntime compare good other --min-effect 1e-9%
try kerntime compare good other --alpha 60%
try kerntime compare good other --alpha much
try kerntime compare good other --run-noise 200%
try kerntime compare good other --timing none
try kerntime compare good other -d sim:0
try kerntime compare good other --json missing/file
try kerntime compare good other --json - --markdown -
try kerntime compare good other --json other
try kerntime compare good other --markdown ./good
cmp good other
# A share is written either way.
for share in 2% 0.02; do
    try kerntime compare good other --min-effect $share --alpha $share --run-noise $share -q --json - >$share
done
json_value 0.02 'j["options"]' && json_value 2% 'j["options"]'
try kerntime compare good /dev/stdin -q <other >/dev/null
# A copy of a result is the same result, and not another run.
kerntime bench fill --size 65536 -d cpu --samples 20..20 -q --json run >/dev/null
cp run copy
try kerntime compare run copy -q --json same >/dev/null
check_json same
json_value same 'j["verdict"], {r["identical"] for r in j["rows"]}'
try kerntime compare --baseline run --baseline good --baseline copy --contender run
# Nor may sides share some of their results.
kerntime bench fill --size 65536 -d cpu --samples 20..20 -q --json later >/dev/null
try kerntime compare --baseline run --baseline later --contender copy
rm run copy later same
rm good devices doctor comparison other half cut words empty 2% 0.02
