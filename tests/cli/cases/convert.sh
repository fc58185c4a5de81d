# SPDX-License-Identifier: MIT
# What `kerntime convert` writes of a result file is what the command that made it writes: of several runs, copies,
# devices and doctor, too.
all='--csv c --markdown m --gbench g --bmf b --action a'
same()
{
    try cmp t t2 && try cmp r r2
    for file; do try cmp $file new-$file; done
    rm -f r r2 t t2 c m g b a new-*
}
new='--csv new-c --markdown new-m --gbench new-g --bmf new-b --action new-a'
# shellcheck disable=SC2086 # words
kerntime bench scan --size 64 -d sim:0:jitter_ns=80 --runs 2 --samples 20 -q --json r $all >t
# shellcheck disable=SC2086 # words
kerntime convert r --json r2 $new >t2
same c m g b a
# shellcheck disable=SC2086 # words
kerntime copy --size 8KiB..64KiB --direction heap-device -d sim:0 -q --json r $all >t 2>/dev/null
# shellcheck disable=SC2086 # words
kerntime convert r --json r2 $new >t2
same c m g b a
for command in devices doctor; do
    kerntime $command -d sim:0 -q --json r --markdown m >t
    kerntime convert r --json r2 --markdown new-m >t2
    same m
done
# A document may take the table's place.
kerntime bench saxpy --size 64 -d sim:0 -q --json r --action a >/dev/null
kerntime convert r --action - | cmp - a
# What cannot be converted, with the reason.
kerntime devices -d sim:0 -q --json devices >/dev/null
kerntime compare r r -q --json comparison >/dev/null
echo '{"schema": "kerntime/1", "document": "trace"}' >trace
echo 'no JSON' >words
for option in --csv --gbench --bmf --action; do try kerntime convert devices $option x; done
try kerntime convert devices --plot x.svg
for file in comparison trace words missing; do try kerntime convert $file; done
try kerntime convert
try kerntime convert r a
try kerntime convert -
try kerntime convert r --json ./r
try kerntime convert r --bmf a --action a
try kerntime convert r --gbench-repetitions
try kerntime convert r --csv missing/x
ls
rm r a devices comparison trace words
