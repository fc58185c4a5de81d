#!/bin/sh
# gate.sh GATE KERNTIME BENCH PYTHON CHECK-JSON SCHEMA WORK-FOLDER: what ./dev gate lets pass, and what it does not. The
# programs that it runs in turn are played by a simulated device, so nothing here depends on this machine's speed.
set -u

gate=$1 kerntime=$2 bench=$3 python=$4 check=$5 schema=$6 work=$7
failed=0

rm -rf "$work"
mkdir -p "$work" || exit 1
cd "$work" || exit 1

# What a build's benchmarks do: the kernel takes as many ns as the Nth word of LENGTHS says, in its Nth process, and as
# many as the last word in later ones; with `none` it fails. A word may go on with `,KEY=VALUE` of the scenario, and 1/2/3
# is three devices. The device's name must not hold what differs.
measured='matmul saxpy --size 16'
play() { # NAME EXIT-CODE LENGTHS
    cat >"$1" <<TEXT
#!/bin/sh
echo "$1" >>order
calls=\$((\$(cat "$1.calls" 2>/dev/null || echo 0) + 1))
echo "\$calls" >"$1.calls"
set -- "\$2" $3
file=\$1
while [ "\$calls" -gt 1 ] && [ \$# -gt 2 ]; do shift; calls=\$((calls - 1)); done
[ "\$2" != none ] || exit 3
lengths=\$2
number=0
set --
for length in \$(echo "\$lengths" | tr / ' '); do
    set -- "\$@" -d "sim:\$number:kernel_ns=\$length,jitter_ns=400,seed=\$\$"
    number=\$((number + 1))
done
KERNTIME_BACKENDS=sim "$kerntime" bench $measured --samples 20 --baseline-samples 0 -q --timing device --json - \
    "\$@" | sed 's/\(sim:[0-9]\):[^"]*/\1/' >"\$file"
exit $2
TEXT
    chmod +x "$1"
    rm -f "$1.calls"
}

# The base is asked once beforehand whether it writes result files.
base=./base
expect() { # WHAT EXIT-CODE SENTENCE [ON-PURPOSE]
    rm -rf files
    "$gate" "$kerntime" "$base" ./new files ${4:+"$4"} >out 2>err
    code=$?
    if [ "$code" = "$2" ] && grep -qF -e "$3" err; then return; fi
    echo "$1: exit code $code instead of $2, or nothing like \"$3\":"
    cat out err
    failed=1
}

expect_slower() { # the lines of the file wanted
    cmp -s wanted files/slower && return
    echo "slower are"
    cat files/slower
    echo "instead of"
    cat wanted
    failed=1
}

expect_order() { # WORDS
    found=$(tr '\n' ' ' <order)
    [ "$found" = "$1 " ] && return
    echo "in the order $found instead of $1"
    failed=1
}

first='base base new new base base new new base base new'
second='new base base new new base base new new base'

play base 0 100000
play new 0 100000
rm -f order
expect 'the same' 0 'nothing is surely slower'
expect_order "$first"

play base 0 100000
play new 0 110000
rm -f order
expect 'slower in both sets' 1 'FAILED: slower in both sets of runs'
expect_order "$first $second"
printf '%s\n' 'matmul/16 naive sim:0 matmul' 'saxpy/16 - sim:0 saxpy' >wanted
expect_slower

play base 0 100000
play new 0 '110000 110000 110000 110000 110000 100000'
expect 'slower in the first set alone' 0 'no row of the first set was so in the second'

play base 0 '100000 103000 97000 101000 98000 104000'
play new 0 '104000 98000 101000 97000 103000'
expect 'processes that differ' 0 'nothing is surely slower'

play base 0 100000
play new 0 102000
expect 'less than what matters' 0 'nothing is surely slower'

play base 0 110000
play new 0 100000
expect 'faster' 0 'nothing is surely slower'

play base 4 100000
play new 4 110000
expect 'a device that is missing' 1 'FAILED: slower in both sets of runs'

play base 0 100000
play new 0 110000
expect 'half of it on purpose' 1 'slower on purpose: matmul/16' matmul/16
measured='matmul --size 16'
play base 0 100000
play new 0 110000
expect 'all of it on purpose' 0 'slower on purpose: matmul/16' matmul/16

# What is common to many rows is taken off each of them, and must not go with that.
measured='saxpy fill --size 16,32,64,128,256,512'
play base 0 100000
play new 0 110000
expect 'slower in all of twelve rows' 1 'FAILED: slower in both sets of runs'
echo everything >wanted
expect_slower
expect 'all twelve on purpose' 0 'slower on purpose: everything' everything
play base 0 110000
play new 0 100000
expect 'faster in all of twelve rows' 0 'nothing is surely slower'
play base 0 100000
play new 0 '110000 110000 110000 110000 110000 100000'
expect 'twelve rows in the first set alone' 0 'no row of the first set was so in the second'

# That everything is slower, and the names of all rows, are one finding: rows that agree on how much say the first, others
# the second.
rows_of() { # DEVICE...
    for size in 16 32 64; do
        for device in "$@"; do echo "saxpy/$size - sim:$device saxpy"; done
    done
}
measured='saxpy --size 16,32,64'
alike=110000/110000/110000/110000
unlike=107000/111000/115000/119000
first_alike="$alike $alike $alike $alike $alike $unlike"
play base 0 100000/100000/100000/100000
play new 0 "$first_alike"
expect 'everything, then each row' 1 'FAILED: slower in both sets of runs'
rows_of 0 1 2 3 >wanted
expect_slower
play new 0 "$first_alike"
expect 'the same, everything on purpose' 0 'slower on purpose: everything, in one set of runs' everything
play new 0 "$first_alike"
expect 'the same, each row on purpose' 0 'slower on purpose: saxpy/64' 'saxpy/16 saxpy/32 saxpy/64'
play new 0 "$unlike $unlike $unlike $unlike $unlike $alike"
expect 'each row, then everything' 1 'FAILED: slower in both sets of runs'
play new 0 "$unlike"
expect 'each row in both, everything on purpose' 1 'FAILED: slower in both sets of runs' everything
faster=110000/110000/110000/95000
play new 0 "$faster $faster $faster $faster $faster $unlike"
expect 'everything but some rows, then each' 1 'FAILED: slower in both sets of runs'
rows_of 0 1 2 >wanted
expect_slower
play new 0 110000/110000/110000/140000
expect 'everything, and some rows more' 1 'FAILED: slower in both sets of runs'
{ echo everything && rows_of 3; } >wanted
expect_slower
play new 0 110000/110000/110000/140000
expect 'the same, everything on purpose' 1 'slower on purpose: everything' everything

# What was not compared was not found to be as fast, and what failed once is not fine because it did not always.
measured='matmul saxpy --size 16'
play base 0 100000
play new 0 '100000 100000,wrong=3 100000'
expect 'a row that fails once' 2 'FAILED: the older build measured this, and it was not compared, or failed'
grep -q '^matmul/16 naive sim:0 matmul: failed in 1 of 5 runs of the contender$' files/lost || {
    echo "the row that failed once is not named:"
    cat files/lost
    failed=1
}
play new 0 '100000 100000,wrong=3 100000'
expect 'a row that fails on purpose' 0 'gone on purpose: matmul/16' matmul/16
play base 0 '100000,wrong=3'
play new 0 '100000 100000,wrong=3 100000'
expect 'a row that failed in all older runs' 0 'nothing is surely slower'
measured='matmul saxpy --size 16'
play base 0 100000
measured='matmul --size 16'
play new 0 100000
expect 'a row that is gone' 2 'FAILED: the older build measured this'
grep -q '^saxpy/16 - sim:0 saxpy: ' files/lost || {
    echo "the row that is gone is not named:"
    cat files/lost
    failed=1
}
expect 'a row that is gone on purpose' 0 'gone on purpose: saxpy/16' saxpy/16
measured='matmul saxpy --size 16'
play new 0 100000
measured='matmul --size 16'
play base 0 100000
expect 'a row that is new' 0 'nothing is surely slower'
measured='matmul --size 16 --trials 2'
play new 0 100000
expect 'a row that is not comparable' 2 'FAILED: the older build measured this'
measured='saxpy --size 16'
play new 0 100000
expect 'no row is left' 2 'FAILED: nothing was compared' matmul/16

# That there is nothing older, or that it is too old, it has to say; a base that fails is not replaced.
measured='matmul --size 16'
play base 0 none
play new 0 100000
expect 'a base that fails' 2 'exit code 3'
rm base
expect 'a base that is missing' 2 'exit code 127'
printf '#!/bin/sh\necho "Usage: bench [--json FILE]" >&2\nexit 2\n' >base
chmod +x base
expect 'a base that writes no files' 0 'SKIPPED: the older build writes no result files: it was compared with itself'
printf '#!/bin/sh\necho "{}" >"$2"\n' >base # keys of another time
expect 'a base whose files cannot be read' 0 "SKIPPED: this build cannot read the older one's result files"
printf '#!/bin/sh\necho "Usage: bench [--result FILE]" >&2\nexit 2\n' >base
expect 'a base that does not take the FILE' 2 'exit code 2'
base=
expect 'no base' 0 'SKIPPED: there is no older build: it was compared with itself'
base=./base

play base 0 100000
play new 0 '100000 100000 none'
expect 'a program that fails' 2 'exit code 3'

mkdir tools
for tool in dirname mkdir sed; do ln -s "$(command -v "$tool")" tools; done
PATH="$work/tools" "$gate" "$kerntime" ./base ./new files >out 2>err
if [ $? != 2 ] || ! grep -q "python3 is not here" err; then
    echo "without python3:"
    cat out err
    failed=1
fi

# What the real one writes is a result file, and compare takes it.
if ! { "$bench" --result real.json timer && "$python" -B "$check" "$schema" real.json &&
    "$kerntime" compare real.json real.json; } >out 2>err; then
    echo "kerntime-bench --result:"
    cat out err
    failed=1
fi
exit "$failed"
