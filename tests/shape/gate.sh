#!/bin/sh
# SPDX-License-Identifier: MIT
# gate.sh GATE KERNTIME BENCH PYTHON CHECK-JSON SCHEMA WORK-FOLDER: what ./dev gate lets pass. A simulated device plays the
# programs that the gate runs in turn, so nothing here depends on this machine's speed.
set -u

gate=$1 kerntime=$2 bench=$3 python=$4 check=$5 schema=$6 work=$7
failed=0

rm -rf "$work"
mkdir -p "$work" || exit 1
cd "$work" || exit 1

# A build's benchmarks: the kernel takes as many ns as the Nth word of LENGTHS in the Nth process, and the last word later.
# `none` fails. A word may go on with `,KEY=VALUE` of the scenario. The device's name must not hold what differs.
measured='matmul saxpy --size 16'
play() { # NAME EXIT-CODE LENGTHS
    cat >"$1" <<TEXT
#!/bin/sh
echo "$1" >>order
calls=\$(grep -c "^$1" order)
file=\$2
set -- $3
while [ "\$calls" -gt 1 ] && [ \$# -gt 1 ]; do shift; calls=\$((calls - 1)); done
[ "\$1" != none ] || exit 3
KERNTIME_BACKENDS=sim "$kerntime" bench $measured --samples 20 --baseline-samples 0 -q --timing device --json - \
    -d "sim:0:kernel_ns=\$1,jitter_ns=400,seed=\$\$" | sed 's/\(sim:[0-9]\):[^"]*/\1/' >"\$file"
exit $2
TEXT
    chmod +x "$1"
}

expect() { # WHAT EXIT-CODE SENTENCE [ALLOWED]
    rm -rf files order
    echo '# a comment' >allowed
    [ $# -lt 4 ] || echo "$4" >>allowed
    "$gate" "$kerntime" ./base ./new files allowed >out 2>err
    code=$?
    if [ "$code" = "$2" ] && grep -qF -e "$3" err; then return; fi
    echo "$1: exit code $code instead of $2, or nothing like \"$3\":"
    cat out err
    failed=1
}

expect_order() { # WORDS
    found=$(tr '\n' ' ' <order)
    [ "$found" = "$1 " ] && return
    echo "in the order $found instead of $1"
    failed=1
}

once='base new new base base new new base base new'
usual='play base 0 100000'

$usual
play new 0 100000
expect 'the same' 0 'nothing is surely slower'
expect_order "$once"
play new 0 102000
expect 'less than what matters' 0 'nothing is surely slower'
play new 4 90000
expect 'faster, and a device is missing' 0 'nothing is surely slower'
play new 4 110000
expect 'slower' 1 'FAILED: slower in both sets of runs'
expect_order "$once $once"
grep -qx 'gate: slower: saxpy/16 - sim:0 saxpy' err || failed=1
expect 'a row of two is allowed' 1 'FAILED: slower in both sets of runs' 'matmul/16: it checks more'
grep -q 'gate: slower: matmul' err && failed=1
expect 'no reason' 2 'FAILED: allowed: no reason: matmul/16' 'matmul/16:'
play new 0 '110000 110000 110000 110000 110000 100000'
expect 'slower in the first set alone' 0 'the second set of runs shows nothing'

# What all rows share is subtracted from each.
measured='saxpy fill --size 16,32,64,128,256,512'
$usual
play new 0 110000
expect 'all of twelve rows' 1 'gate: slower: everything'
expect 'all of twelve rows are allowed' 0 'nothing is surely slower' 'everything: another clock'

# A row that was not compared was not found to be as fast.
measured='matmul saxpy --size 16'
$usual
play new 0 '100000 100000,wrong=3 100000'
expect 'a row that fails once' 2 'FAILED: not compared, or failed: matmul/16 naive sim:0 matmul: '
play base 0 '100000,wrong=3'
expect 'a row that failed before' 0 'nothing is surely slower'
$usual
measured='matmul --size 16'
play new 0 100000
expect 'a row that is gone' 2 'FAILED: not compared, or failed: saxpy/16 - sim:0 saxpy: only in the baseline'
expect 'a row that may be gone' 0 'nothing is surely slower' 'saxpy/16: fill replaces it'
measured='saxpy --size 16'
$usual
expect 'no row is left' 2 'FAILED: nothing was compared' 'saxpy/16: gone'
play new 0 '100000 100000 none'
expect 'a program that fails' 2 'FAILED: ./new --result files/first-contender-3.json: exit code 3'
rm base
expect 'a base that is missing' 2 'exit code 127'
printf '#!/bin/sh\necho "{}" >"$2"\n' >base
chmod +x base
expect 'a base with other keys' 0 "SKIPPED: this build cannot read the older one's result files"

# What the real one writes is a result file, and compare takes it.
if ! { "$bench" --result real.json timer && "$python" -B "$check" "$schema" real.json &&
    "$kerntime" compare real.json real.json; } >out 2>err; then
    echo "kerntime-bench --result:"
    cat out err
    failed=1
fi
exit "$failed"
