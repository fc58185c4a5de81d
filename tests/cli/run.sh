#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs one case of the command line and compares what it did with what stands beside it.
#
# usage: run.sh KERNTIME CASE.sh
#
#   CASE.sh              the commands, run by sh in an empty folder; `kerntime` is the one under test
#   CASE.stdout.exact    what they print, byte for byte; or
#   CASE.stdout.match      line for line as glob patterns, where something depends on the machine
#   CASE.stderr.exact, CASE.stderr.match
#   CASE.exit            exit code of the last command; missing: 0
#   CASE.files           files left in the folder, sorted; missing: none
#
# A missing stdout or stderr file: nothing may be printed there. Exit code 77: skipped, the reason is printed.
# Inside a case, `try COMMAND...` prints the command and its exit code on standard error and goes on.
set -u

case_file=$2
base=${case_file%.sh}
name=${base##*/}
here=$(cd "$(dirname "$0")" && pwd) || exit 1
base=$(cd "$(dirname "$case_file")" && pwd)/$name || exit 1

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$scratch/work" "$scratch/tmp" "$scratch/home" || exit 1

PATH=$(cd "$(dirname "$1")" && pwd):$PATH
HOME=$scratch/home
TMPDIR=$scratch/tmp
LC_ALL=C
SCHEMA=$here/../../docs/kerntime-1.schema.json
# Only the case itself says which drivers are used: by default none but those without a library, and the stub.
KERNTIME_LIB_OPENCL=${KT_STUB_LIB:-/no/stub}
KERNTIME_LIB_VULKAN=/no/stub
KERNTIME_LIB_WEBGPU=/no/stub
KERNTIME_LIB_CUDA=/no/stub
KERNTIME_LIB_HIP=/no/stub
KERNTIME_LIB_NVRTC=/no/stub
KERNTIME_LIB_HIPRTC=/no/stub
KERNTIME_LIB_NVML=/no/stub
KERNTIME_LIB_LEVEL_ZERO=/no/stub
KERNTIME_SYSFS=/no/sys # the state of this machine's devices is in no expected output
MESA_SHADER_CACHE_DIR=${MESA_SHADER_CACHE_DIR:-$scratch/mesa}
POCL_CACHE_DIR=${POCL_CACHE_DIR:-$scratch/pocl}
PYTHONPATH=$here # of watched.py
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE PATH HOME TMPDIR LC_ALL KERNTIME_LIB_OPENCL KERNTIME_LIB_VULKAN KERNTIME_LIB_WEBGPU KERNTIME_LIB_CUDA KERNTIME_LIB_HIP KERNTIME_LIB_NVRTC KERNTIME_LIB_HIPRTC KERNTIME_LIB_NVML KERNTIME_LIB_LEVEL_ZERO KERNTIME_SYSFS POCL_CACHE_DIR MESA_SHADER_CACHE_DIR
unset KERNTIME_BACKENDS KERNTIME_LIB_OBJC KERNTIME_LIB_METAL KT_STUB_METAL KT_STUB_METAL_COUNTS NEOReadDebugKeys ZE_ENABLE_ALT_DRIVERS ZE_ENABLE_NULL_DRIVER ZE_ENABLE_VALIDATION_LAYER KT_STUB_LEVEL_ZERO KT_STUB_LEVEL_ZERO_COUNTS KT_STUB_CUDA KT_STUB_CUDA_COUNTS KT_STUB_HIP KT_STUB_HIP_COUNTS KT_STUB_VULKAN KT_STUB_VULKAN_COUNTS KT_STUB_OPENCL KT_STUB_OPENCL_COUNTS KT_STUB_AT_HANG OCL_ICD_VENDORS RUSTICL_ENABLE VK_ICD_FILENAMES VK_DRIVER_FILES XDG_CACHE_HOME OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMIX_RANK PMI_RANK PMI_SIZE MV2_COMM_WORLD_RANK MV2_COMM_WORLD_SIZE FLUX_TASK_RANK FLUX_JOB_SIZE PALS_RANKID JSM_NAMESPACE_RANK RANK WORLD_SIZE LOCAL_RANK JOB_COMPLETION_INDEX SLURM_PROCID SLURM_STEP_NUM_TASKS CUDA_VISIBLE_DEVICES

skip()
{
    echo "skipped: $*" >&2
    exit 77
}

try()
{
    echo "\$ $*" >&2
    "$@"
    try_code=$?
    echo "exit $try_code" >&2
    return "$try_code"
}

# table: of what is printed, the rows: from the heads to the first blank line.
table()
{
    sed -n '/^\(| \)\{0,1\}\(NAME\|DIRECTION\|VERDICT\)/,/^$/p'
}

check_json()
{
    /usr/bin/python3 "$here/check_json.py" "$SCHEMA" "$@"
}

# diagnostics_table DOCTOR.json...: what the documentation's table has, and none of these files.
diagnostics_table()
{
    /usr/bin/python3 "$here/diagnostics_table.py" "$@"
}

# check_formats RESULT.json GBENCH.json BMF.json ACTION.json: what their readers take, and all say the same.
check_formats()
{
    /usr/bin/python3 "$here/check_formats.py" "$@"
}

# check_csv RESULT.json RESULT.csv: both say the same.
check_csv()
{
    /usr/bin/python3 "$here/check_csv.py" "$@"
}

# check_trace TRACE.json [RESULT.json]: what it must be, and what the result of the same run says.
check_trace()
{
    /usr/bin/python3 "$here/check_trace.py" "$@"
}

# check_steps RESULT.json WORKLOAD...: kernels, gaps and span of every sample.
check_steps()
{
    /usr/bin/python3 "$here/check_steps.py" "$@"
}

# check_copies RESULT.json DEVICE SIZES DIRECTION...: copies as a driver gives them, and the yardstick.
check_copies()
{
    /usr/bin/python3 "$here/check_copies.py" "$@"
}

# look_at TABLE FIGURE.svg DIRECTION...: each direction has a line in both tables, and is in the figure.
look_at()
{
    table=$1 figure=$2
    shift 2
    for direction; do
        grep -q "^$direction .* 4 MiB" "$table" && grep -q "^$direction .* wall " "$table" || echo "$direction is in no table"
        grep -q ">$direction" "$figure" || echo "$direction is not in the figure"
    done
}

# real_copies BACKEND "DIRECTION...": every direction of its first device at reduced sizes: table, figure and files. Needs gnuplot.
real_copies()
{
    kerntime devices -d "$1" >devices 2>&1 || skip "no device here: $(cat devices)"
    gnuplot --version >/dev/null 2>&1 || skip "gnuplot is not here"
    sizes=65536,262144,1048576,4194304
    kerntime copy -d "$1:0" --size "$sizes" --samples 5..5 --max-time 1ms --json file --csv rows --plot figure.svg -q >table
    # shellcheck disable=SC2086 # a list
    check_copies file "$1:0" "$sizes" $2
    check_json file
    check_csv file rows
    # shellcheck disable=SC2086 # a list
    look_at table figure.svg $2 heap-heap-all-cores
    rm file rows devices table figure.svg
}

recompute_raw()
{
    /usr/bin/python3 "$here/recompute_raw.py" "$@"
}

# Prints what a Python expression is of the JSON file $1, known to it as j.
json_value()
{
    /usr/bin/python3 -c '
import json, sys
with open(sys.argv[1]) as file:
    j = json.load(file)
for expression in sys.argv[2:]:
    print(eval(expression))' "$@"
}

(cd "$scratch/work" && . "$base.sh") >"$scratch/stdout" 2>"$scratch/stderr" </dev/null
code=$?
if [ "$code" = 77 ]; then
    grep '^skipped: ' "$scratch/stderr"
    exit 77
fi

failed=0

fail()
{
    echo "$name: $*"
    failed=1
}

# matches FILE PATTERNS: each line of FILE fits the glob pattern in the same line of PATTERNS.
matches()
{
    while IFS= read -r pattern <&4 || [ -n "$pattern" ]; do
        IFS= read -r line <&3 || return 1
        # shellcheck disable=SC2254
        case $line in
        $pattern) ;;
        *)
            echo "$name: this line of $(basename "$2")"
            echo "- $pattern"
            echo "+ $line"
            return 1
            ;;
        esac
    done 3<"$1" 4<"$2"
    [ "$(wc -l <"$1")" = "$(wc -l <"$2")" ]
}

compare()
{
    if [ -f "$base.$1.match" ]; then
        matches "$scratch/$1" "$base.$1.match" || {
            fail "$1 does not fit:"
            diff -u "$base.$1.match" "$scratch/$1"
        }
    else
        expected=$base.$1.exact
        [ -f "$expected" ] || expected=/dev/null
        cmp -s "$expected" "$scratch/$1" || {
            fail "$1 differs:"
            diff -u "$expected" "$scratch/$1"
        }
    fi
}

compare stdout
compare stderr

expected=0
[ -f "$base.exit" ] && expected=$(cat "$base.exit")
[ "$code" = "$expected" ] || fail "exit code $code, should be $expected"

# Everything that is left, hidden and temporary files included.
(cd "$scratch/work" && find . ! -name . | sed 's|^\./||' | sort) >"$scratch/files"
expected=$base.files
[ -f "$expected" ] || expected=/dev/null
cmp -s "$expected" "$scratch/files" || {
    fail "files left behind:"
    diff -u "$expected" "$scratch/files"
}
left=$(find "$scratch/tmp" "$scratch/home" ! -path "$scratch/tmp" ! -path "$scratch/home")
[ -z "$left" ] || fail "left in TMPDIR or HOME: $left"

exit "$failed"
