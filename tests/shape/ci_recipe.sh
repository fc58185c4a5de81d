#!/bin/sh
# SPDX-License-Identifier: MIT
# ci_recipe.sh SOURCE-FOLDER KERNTIME WORK-FOLDER: the shell lines of docs/compare-in-ci.md, literally, on a project whose
# benchmark is played by a simulated device. Left out is what installs, and what needs GitHub.
set -u

source=$1 kerntime=$2 work=$3
failed=0

for tool in git jq bash; do
    command -v "$tool" >/dev/null || {
        echo "$tool is not here"
        exit 77
    }
done
rm -rf "$work"
mkdir -p "$work/home" "$work/bin" || exit 1
cd "$work" || exit 1
export HOME="$work/home" GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
export KERNTIME_BACKENDS=sim GITHUB_STEP_SUMMARY="$work/summary"
unset GIT_DIR GIT_WORK_TREE
ln -s "$kerntime" bin/kerntime
PATH=$work/bin:$PATH
# CMake's own choice is make.
command -v make >/dev/null || export CMAKE_GENERATOR=Ninja

step() { # NAME
    awk -v name="      - name: $1" '
        $0 == "```" { exit }
        /^      - / { inside = $0 == name; lines = 0 }
        inside && /^        [a-z]/ { lines = $0 == "        run: |"; next }
        inside && lines { print substr($0, 11) }' "$source/docs/compare-in-ci.md" >"$work/step"
    [ -s "$work/step" ] || echo "exit 99 # no step '$1'" >"$work/step"
    bash -e "$work/step" >>"$work/out" 2>&1 </dev/null
}

# A revision of the project: what its benchmark does.
revision() { # WORDS KERNEL-NS
    cat >project/bench.in <<TEXT
#!/bin/sh
kerntime bench $1 --samples 20 --baseline-samples 0 -q --timing device "\$@" -d "sim:0:kernel_ns=$2,jitter_ns=400,seed=\$\$"
TEXT
    git -C project add . && git -C project commit -qm "$*" --allow-empty
}

try() { # WHAT CODE SENTENCE OLD-WORDS OLD-NS NEW-WORDS NEW-NS
    rm -rf project out summary && git init -q project || exit 1
    : >out
    cat >project/CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.21)
project(bench NONE)
configure_file(bench.in bench COPYONLY)
TEXT
    echo '#!/bin/sh' >project/bench.in
    chmod +x project/bench.in
    revision "$4" "$5"
    revision "$6" "$7"
    code=0
    cd project || exit 1
    export DEVICE=sim:0
    for name in 'Can this machine time anything' 'Build old and new' 'Measure in turn, one fresh process each' 'What changed'; do
        step "$name" || {
            code=$?
            break
        }
    done
    cd ..
    ended="$name: $code"
    case $ended$(cat out summary 2>/dev/null) in
    "$2"*"$3"*) return ;;
    esac
    echo "$1: ended at \"$ended\" instead of \"$2\", or nothing like \"$3\":"
    cat out
    failed=1
}

two='matmul saxpy --size 16'
twelve='saxpy fill --size 16,32,64,128,256,512'
try 'the same' 'What changed: 0' '0 of 2 rows inconclusive, 0 not compared.' "$two" 100000 "$two" 100000
try 'slower' 'What changed: 1' 'Least sure row: within 0.' "$two" 100000 "$two" 110000
try 'all rows are slower' 'What changed: 1' 'everything is slower' "$twelve" 100000 "$twelve" 110000
try 'all rows are faster' 'What changed: 0' 'Least sure row' "$twelve" 110000 "$twelve" 100000
try 'a row is gone' 'What changed: 1' 'a benchmark is gone' "$two" 100000 'matmul --size 16' 100000
try 'a row is new' 'What changed: 0' '1 not compared.' 'matmul --size 16' 100000 "$two" 100000
try 'other rows' 'What changed: 1' 'nothing was compared' 'matmul --size 16' 100000 'saxpy --size 16' 100000
# Processes that differ by a third: compare ends with 5, which passes where nothing else is the matter.
# shellcheck disable=SC2016 # the benchmark's script asks this
unsteady='$(case "$*" in *[135].json*) echo 100000 ;; *) echo 130000 ;; esac)'
try 'inconclusive' 'What changed: 0' '2 of 2 rows inconclusive, 0 not compared.' "$two" "$unsteady" "$two" "$unsteady"
# It fails in the third run of five, and its program does not say so.
flaky='100000$(case "$*" in *new-3.json) echo ,wrong=3 ;; esac),jitter_ns=400,seed=$$" || true # '
try 'a run fails' 'What changed: 1' 'runs of the contender failed' "$two" 100000 "$two" "$flaky"
try 'measuring fails' 'Measure in turn, one fresh process each: 4' '' "$two" 100000 "$two" 100000,wrong=3

export DEVICE=sim:0
rm -rf project/*.json
cd project || exit 1
step 'What changed'
code=$?
if [ "$code" != 2 ] || [ -e compare.md ]; then
    echo "without files: exit code $code instead of 2, or a table"
    failed=1
fi
DEVICE=sim:0:period_ns=65536,zero=2
if step 'Can this machine time anything'; then
    echo "the doctor finds no fault in $DEVICE"
    failed=1
fi
exit "$failed"
