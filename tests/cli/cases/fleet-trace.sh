# SPDX-License-Identifier: MIT
# Documents of `kerntime trace`: calls count as times, and the name of the host is the node's. Results are another group.
mkdir out
document()
{
    sed 's/"document_id": "0*"/"document_id": "'"$(printf %032d "$1")"'"/; s/"host": {/&"name": "'"$2"'", /; s/1000,/'"$3"',/g; s/\[\[992/[['"$4"'/' \
        "$here/../fuzz/corpus/recorded/traced" >"out/$1.json"
}
for number in 1 2 3 4 5 6; do
    document $number h$((number % 3)) 1000 992
done
document 7 h3 1100 1088
document 8 h3 1100 1088
kerntime bench fill --size 4096 --samples 20..20 -q -d sim:0 --json out/9.json >/dev/null
try kerntime fleet out --json fleet.json
check_json fleet.json
# None of them has a command that a shell could repeat.
try kerntime fleet out --again -q
rm -r out fleet.json
