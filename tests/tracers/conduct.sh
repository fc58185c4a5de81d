#!/bin/sh
# SPDX-License-Identifier: MIT
# conduct.sh KERNTIME FAKE PROMISE: what `kerntime trace` does to a program and its surroundings. FAKE records made-up calls
# (fake/fake.c).
# shellcheck disable=SC2317 # the promises are called by their names
set -u

kerntime=$1 fake=$2 promise=$3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OPENCL_LAYERS VK_ADD_LAYER_PATH VK_LAYER_PATH VK_INSTANCE_LAYERS ZE_ENABLE_TRACING_LAYER CUDA_INJECTION64_PATH \
    ROCP_TOOL_LIBRARIES KERNTIME_TRACE OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK SLURM_PROCID MV2_COMM_WORLD_RANK PALS_RANKID \
    FLUX_TASK_RANK
failed=0

# expect WHAT WANTED FOUND
expect() {
    [ "$2" = "$3" ] && return
    printf '%s: "%s" instead of "%s"\n' "$1" "$3" "$2"
    failed=1
}

# has FILE TEXT: a line of the file has it
has() {
    grep -qF -e "$2" "$1" && return
    printf '%s has no "%s":\n' "$1" "$2"
    cat "$1"
    failed=1
}

has_not() { # FILE TEXT
    grep -qF -e "$2" "$1" || return 0
    printf '%s has "%s":\n' "$1" "$2"
    cat "$1"
    failed=1
}

# trace ARGUMENT...: sets $code; standard output in out, standard error in err
trace() {
    "$kerntime" trace "$@" >out 2>err
    code=$?
}

# in_background ARGUMENT...: sets $kernel, its number
in_background() {
    "$kerntime" trace "$@" >out 2>err &
    number=$!
}

await() { # FILE
    until [ -e "$1" ]; do sleep 0.02; done
}

# one kernel in the table
kernel='device opencl:0 GPU 1 kernel gemm 10 1000'

exit_codes() {
    trace true
    expect "code of true" 0 "$code"
    trace sh -c 'exit 7'
    expect "code 7" 7 "$code"
    trace sh -c 'kill -9 $$'
    expect "code of a killed program" 137 "$code"
    trace ./missing
    expect "not found" 127 "$code"
    expect "sentence" "kerntime trace: ./missing: No such file or directory" "$(cat err)"
    trace no-such-program-anywhere
    expect "not in PATH" 127 "$code"
    : >file
    trace ./file
    expect "not executable" 126 "$code"
    trace "$work"
    expect "a folder" 126 "$code"
    # 3, 2, 1: the first that is not 0 counts
    printf 3 >count
    trace --runs 3 -- sh -c 'n=$(cat count); printf $((n - 1)) >count; exit $n'
    expect "code of several runs" 3 "$code"
    expect "number of runs" 0 "$(cat count)"
}

usage() {
    for words in "" "--" "--no-such-option true" "--count 0 true" "--follow maybe true" "-b nothing true" \
        "-o - touch started" "-o /no/such/folder/file touch started" "-o same --json ./same touch started" \
        "-o x%q touch started" "-o %{NO_SUCH_VARIABLE} touch started" "-o %{HOME touch started" "-o x%r touch started" \
        "--memory 1MiB touch started" "--runs 2 --trace t touch started" "--ranks 1-x touch started" "--ranks 0,5-3 touch started" \
        "-o /dev/stdout touch started" "--json out touch started"; do
        # shellcheck disable=SC2086 # words
        trace $words
        expect "code of \"$words\"" 125 "$code"
        has err "kerntime trace: "
        # An unknown word is followed by where to look.
        expect "lines of \"$words\"" 1 "$(grep -vc '^Try ' err)"
        [ ! -e started ] || expect "program of \"$words\"" "not started" "started"
        rm -f started
    done
    trace ''
    expect "no name" 125 "$code"
}

streams() {
    printf 'in\0put' >input
    # shellcheck disable=SC2086 # words
    "$kerntime" trace -o table sh -c 'cat; echo error >&2; '"'$fake' $kernel" <input >out 2>err
    expect "code" 0 $?
    cmp input out || failed=1
    expect "standard error" error "$(cat err)"
    has table gemm
    # shellcheck disable=SC2086 # words
    trace "$fake" $kernel print "  said by the program"
    expect "standard output" "  said by the program" "$(cat out)"
    has err gemm
    # shellcheck disable=SC2086 # words
    trace -q "$fake" $kernel
    expect "with -q" "" "$(cat err)"
    # shellcheck disable=SC2086 # words
    "$kerntime" trace "$fake" $kernel exit 5 2>/dev/full
    expect "code with a full standard error" 5 $?
    # shellcheck disable=SC2086 # words
    { "$kerntime" trace "$fake" $kernel exit 6; echo $? >code; } 2>&1 >out | true
    expect "code with nobody behind standard error" 6 "$(cat code)"
    # shellcheck disable=SC2086 # words
    "$kerntime" trace -o table "$fake" $kernel exit 6 <&- >&- 2>&-
    expect "code with closed streams" 6 $?
    has table gemm
    "$kerntime" trace -q sh -c 'ls /proc/self/fd | tr "\n" " " >fds' <&- 2>&-
    sh -c 'ls /proc/self/fd | tr "\n" " " >wanted' <&- 2>&-
    cmp wanted fds || failed=1
}

arguments() {
    trace -q -- printf '%s,' --json -o '' -- 'a b'
    expect "after --" "--json,-o,,--,a b," "$(cat out)"
    trace -q printf '%s,' --json -o -- x
    expect "after PROGRAM" "--json,-o,--,x," "$(cat out)"
}

environment() {
    export OPENCL_LAYERS=/o/ther.so VK_ADD_LAYER_PATH=/v/k VK_INSTANCE_LAYERS=VK_LAYER_other ROCP_TOOL_LIBRARIES=/r/ocm.so \
        CUDA_INJECTION64_PATH=/c/upti.so LD_LIBRARY_PATH=/l/ib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} MULTI_LINE='a
b' EMPTY=
    ours='^\(OPENCL_LAYERS\|VK_ADD_LAYER_PATH\|VK_INSTANCE_LAYERS\|ROCP_TOOL_LIBRARIES\|ZE_ENABLE_TRACING_LAYER\|LD_LIBRARY_PATH\|KERNTIME_TRACE\|_\)='
    env | grep -v "$ours" >before
    trace env
    grep -v "$ours" out >after
    cmp before after || failed=1
    for name in OPENCL_LAYERS VK_ADD_LAYER_PATH VK_INSTANCE_LAYERS ROCP_TOOL_LIBRARIES LD_LIBRARY_PATH; do
        before=$(eval "echo \$$name")
        after=$(sed -n "s/^$name=//p" out)
        case $after in
        "$before" | "$before":* | *:"$before") ;;
        *) expect "$name" "$before:..." "$after" ;;
        esac
    done
    # Nested, nothing is there twice.
    trace "$kerntime" trace env
    expect "names that are twice in a list" "" \
        "$(sed -n 's/^\(OPENCL_LAYERS\|VK_INSTANCE_LAYERS\|ROCP_TOOL_LIBRARIES\|LD_LIBRARY_PATH\)=//p' out |
            tr : '\n' | grep . | sort | uniq -d)"
    if [ -e "$(dirname "$kerntime")/tracers/libkerntime-trace-cuda.so" ]; then
        trace -b cuda true
        has err "CUDA_INJECTION64_PATH has another tool, which stays: /c/upti.so"
    fi
}

# A program that tells which signals come, and ends with 3 at SIGTERM.
cat >told.sh <<'TOLD'
trap 'echo HUP' HUP
trap 'echo USR1' USR1
trap 'echo USR2' USR2
trap 'echo INT' INT
trap 'echo TERM; exit 3' TERM
echo $$ >ready
while :; do sleep 0.05; done
TOLD

signals() {
    # A shell in the background ignores SIGINT; what is ignored stays so.
    in_background -q -- sh told.sh
    await ready
    kill -HUP $number
    until [ "$(cat out)" ]; do sleep 0.02; done
    kill -USR1 $number
    until [ "$(grep -c . out)" = 2 ]; do sleep 0.02; done
    kill -TERM $number
    wait "$number"
    expect "code" 3 $?
    expect "signals" "HUP USR1 TERM" "$(tr '\n' ' ' <out | sed 's/ $//')"
    rm ready
    # A series of runs ends with it.
    printf 'touch ready; exec sleep 1000\n' >waits.sh
    in_background --runs 3 sh waits.sh
    await ready
    kill -TERM $number
    wait "$number"
    expect "code of a series" 143 $?
    has err "interrupted: 1 of 3 runs"
    rm ready
    # One that ends the program ends it, and the table is written.
    # shellcheck disable=SC2086 # words
    in_background "$fake" $kernel touch ready await never
    await ready
    kill -TERM $number
    wait "$number"
    expect "code of an ended program" 143 $?
    has err gemm
}

# Ctrl-C reaches a program and its launcher, and the program once: it takes each signal by itself.
terminal() {
    command -v python3 >/dev/null || exit 77
    cat >takes.py <<'TAKES'
import signal
both = {signal.SIGINT, signal.SIGTERM}
signal.pthread_sigmask(signal.SIG_BLOCK, both)
open("ready", "w").close()
while True:
    taken = signal.sigwait(both)
    print(signal.Signals(taken).name[3:], flush=True)
    if taken == signal.SIGTERM:
        raise SystemExit(3)
TAKES
    found=$(python3 - "$kerntime" <<'PTY'
import os, pty, signal, sys, time
child, end = pty.fork()
if child == 0:
    os.execv(sys.argv[1], [sys.argv[1], "trace", "python3", "takes.py"])
while not os.path.exists("ready"):
    time.sleep(0.02)
os.write(end, b"\x03")
text = b""
while b"INT\r\n" not in text:
    text += os.read(end, 1000)
os.kill(child, signal.SIGTERM)
try:
    while True:
        text += os.read(end, 1000)
except OSError:
    pass
status = os.waitpid(child, 0)[1]
print(os.WEXITSTATUS(status), text.count(b"INT\r\n"), text.count(b"TERM\r\n"), b"no kernel" in text)
PTY
    )
    expect "code, INT, TERM, table" "3 1 1 True" "$found"
}

ignored_signals() {
    (trap '' HUP USR1 && "$kerntime" trace -q grep -E 'Sig(Blk|Ign):' /proc/self/status >out)
    (trap '' HUP USR1 && exec grep -E 'Sig(Blk|Ign):' /proc/self/status >wanted)
    cmp wanted out || failed=1
}

late_toggle() {
    # The program has ended, and the reader of the table does not read.
    mkfifo table
    in_background -o table sh -c 'touch ready; until [ -e go ]; do sleep 0.02; done; exit 4'
    await ready
    exec 3<>table
    head -c 65536 /dev/zero >&3 # as many bytes as it holds
    : >go
    until grep -q "^State:.S" /proc/$number/status && [ ! "$(cat /proc/$number/task/$number/children)" ]; do sleep 0.02; done
    kill -USR2 $number
    cat <&3 >/dev/null &
    reader=$!
    wait "$number"
    expect "code" 4 $?
    kill $reader
}

# One who ignores SIGCHLD is not told how its children end. The shell cannot; Python can.
ignored_children() {
    command -v python3 >/dev/null || exit 77
    cat >parent.py <<'PARENT'
import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])
PARENT
    python3 parent.py "$kerntime" trace -q sh -c 'exit 7'
    expect "code" 7 $?
    python3 parent.py "$kerntime" trace -q grep SigIgn: /proc/self/status >out
    python3 parent.py "$(command -v grep)" SigIgn: /proc/self/status >wanted
    cmp wanted out || failed=1
}

paused() {
    in_background --paused "$fake" device opencl:0 GPU 1 kernel before 10 1000 touch ready await_recording kernel after 10 1000
    await ready
    kill -USR2 $number
    wait "$number"
    has err after
    has_not err before
    trace --paused "$fake" device opencl:0 GPU 1 kernel never 10 1000
    has_not err never
    has err "recording was paused"
}

killed_program() {
    # shellcheck disable=SC2086 # words
    trace -o table "$fake" $kernel flying 2 kill 9
    expect "code" 137 "$code"
    has table gemm
    has table "in flight at the end: 2 calls"
    trace -o table "$fake" device opencl:0 GPU 1 kernel scan 7 1000 exit 0
    has table scan
}

killed_launcher() {
    in_background sh -c 'echo "$KERNTIME_TRACE" >folder; touch ready; until [ -e go ]; do sleep 0.02; done; echo ended >ended'
    await ready
    kill -9 $number
    wait $number 2>/dev/null
    : >go
    await ended
    # The next one removes its folder.
    trace true
    [ ! -e "$(cat folder)" ] || expect "$(cat folder)" removed there
}

folder() {
    trace sh -c 'ls -ld "$KERNTIME_TRACE" | cut -c1-10; echo "$KERNTIME_TRACE"'
    expect "mode" "drwx------" "$(head -1 out)"
    name=$(tail -1 out)
    case $name in
    /*) ;;
    *) expect "folder" "an absolute path" "$name" ;;
    esac
    [ ! -e "$name" ] || expect "$name" removed there
    in_background sh -c 'echo "$KERNTIME_TRACE" >folder; echo >ready; exec sleep 1000'
    await ready
    kill -INT $number # ignored in the background, as the program does
    kill -TERM $number
    wait "$number"
    [ ! -e "$(cat folder)" ] || expect "after SIGTERM" removed "$(cat folder)"
}

no_folder() {
    # No file may have a byte.
    # shellcheck disable=SC2086 # words
    (ulimit -f 0 && "$kerntime" trace "$fake" $kernel print ran exit 4; echo $?) 2>&1 | cat >all
    has all ran
    has all 4
    has all "nothing was recorded: "
    has all "File too large"
    # Less room than asked for: the table has all.
    # shellcheck disable=SC2086 # words
    trace --trace t.json --memory 1000000TiB -o table "$fake" $kernel
    has table gemm
}

names() {
    export USER_TAG=tag OMPI_COMM_WORLD_RANK=3
    trace -o '%{USER_TAG}-%r-%h-%%-%p.txt' sh -c 'echo $$'
    has "tag-3-$(uname -n)-%-$(cat out).txt" "no kernel"
    unset OMPI_COMM_WORLD_RANK
    export MY_RANK=5
    trace --rank-var MY_RANK -o 'mine-%r' true
    has mine-5 "no kernel"
    for option in json csv markdown gbench trace; do
        # shellcheck disable=SC2086 # words
        trace -q --$option "x-%r.$option" --rank-var MY_RANK "$fake" $kernel
        has "x-5.$option" gemm
    done
}

gone_folder() {
    trace sh -c 'rm -r "$KERNTIME_TRACE"; exit 3'
    expect "code" 3 "$code"
    has err "nothing was recorded: "
    has err "No such file or directory"
}

unwritable_later() {
    mkdir gone
    trace -o gone/table rm -r gone
    expect "code" 125 "$code"
    has err "kerntime trace: --output: cannot write gone/table"
    trace -o gone/table true
    expect "code" 125 "$code"
    mkdir gone
    trace -o gone/table sh -c 'rm -r gone; exit 9'
    expect "the program's code" 9 "$code"
}

children() {
    trace -o table "$fake" device opencl:0 GPU 1 kernel parent 3 1000 fork kernel child 4 1000
    has table parent
    has table child
    trace -o table sh -c "exec '$fake' device opencl:0 GPU 1 kernel executed 3 1000"
    has table executed
    trace -o table --follow no "$fake" device opencl:0 GPU 1 kernel parent 3 1000 fork kernel child 4 1000
    has table parent
    has_not table child
    trace -o table --follow no sh -c "'$fake' device opencl:0 GPU 1 kernel below 3 1000; exit 0"
    has_not table below
}

outliving() {
    trace -o table sh -c "'$fake' device opencl:0 GPU 1 kernel early 5 1000 touch ready await go kernel late 5 1000 touch ended & \
        until [ -e ready ]; do sleep 0.02; done"
    expect "code" 0 "$code"
    has table early
    has_not table late
    has table "goes on"
    : >go
    await ended
}

settings() {
    many='device opencl:0 GPU 1 kernel gemm_1 5 1000 kernel gemm_2 5 1000 kernel scan 5 1000'
    # shellcheck disable=SC2086 # words
    trace --kernels 'gem*,scan' --exclude '*_2' -o table "$fake" $many
    has table gemm_1
    has table scan
    has_not table gemm_2
    # Copies, fills and maps have names, too.
    moves='copy host-to-device 2 1000 64 copy device-to-host 2 1000 64 fill fill 2 1000 map map 2 1000'
    # shellcheck disable=SC2086 # words
    trace --kernels 'gem*,host*' -o table "$fake" $many $moves
    has table host-to-device
    for name in device-to-host fill map; do has_not table $name; done
    # shellcheck disable=SC2086 # words
    trace --exclude 'host*' -o table "$fake" $many $moves
    has_not table host-to-device
    for name in device-to-host fill map gemm_1; do has table $name; done
    # shellcheck disable=SC2086 # words
    trace --skip 5 --count 5 -o table "$fake" $many
    has table gemm_2
    has_not table gemm_1
    has_not table scan
    # shellcheck disable=SC2086 # words
    trace --by-size -o table "$fake" device opencl:0 GPU 1 sized gemm 1024 5 1000 sized gemm 2048 5 1000
    has table 1024
    has table 2048
}

ranks() {
    export PMIX_RANK=2
    # shellcheck disable=SC2086 # words
    trace --ranks 0,4-7 -o 'table-%r' "$fake" $kernel exit 3
    expect "code of a rank left out" 3 "$code"
    expect "its table" "" "$(cat table-2 err 2>/dev/null)"
    # shellcheck disable=SC2086 # words
    trace --ranks 0-2,5 -o 'table-%r' "$fake" $kernel
    has table-2 gemm
    # The launcher has no rank, its programs have.
    unset PMIX_RANK
    trace --ranks 1 -o table sh -c "PMIX_RANK=0 '$fake' device opencl:0 GPU 1 kernel zero 3 1000
        PMIX_RANK=1 '$fake' device opencl:0 GPU 1 kernel one 3 1000"
    has table one
    has_not table zero
}

reasons() {
    trace true
    has err "nothing was traced: PROGRAM loaded no traced API, or a sandbox or env -i hid it"
    mkdir old && echo "an old loader" >old/libOpenCL.so.1
    if [ -e "$(dirname "$kerntime")/tracers/libkerntime-trace-opencl.so" ]; then
        LD_LIBRARY_PATH=$work/old${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} trace -b opencl true
        has err "opencl was not traced: $work/old/libOpenCL.so.1 is older than ocl-icd 2.3.0"
    fi
    [ "$(id -u)" = 0 ] || return # or nobody else's program could be made
    cp "$(command -v env)" privileged && chown 12345 privileged && chmod u+s privileged || failed=1
    trace ./privileged
    has err "./privileged is setuid or has capabilities"
}

static() {
    trace "${STATIC:?}"
    has err "is statically linked and loads no libraries"
}

mpi() {
    command -v mpirun >/dev/null || {
        echo "skipped: there is no mpirun"
        exit 77
    }
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
        OMPI_MCA_plm_rsh_agent=false
    mpirun -n 2 true >out 2>err || {
        echo "skipped: mpirun cannot start two processes here"
        exit 77
    }
    # shellcheck disable=SC2086 # words
    mpirun -n 2 "$kerntime" trace -o 't-%r.txt' "$fake" $kernel >out 2>err
    expect "code" 0 $?
    has t-0.txt gemm
    has t-1.txt gemm
    has_not err "2 ranks"
    mpirun -n 2 "$kerntime" trace -o t.txt true >out 2>err
    expect "code" 125 $?
    has err "kerntime trace: --output: t.txt: 2 ranks would write this file; add %r to its name"
    # shellcheck disable=SC2086 # words
    mpirun -n 2 "$kerntime" trace --ranks 1 -o t.txt "$fake" $kernel >out 2>err
    expect "code" 0 $?
    has t.txt gemm
    # shellcheck disable=SC2086 # words
    trace --csv all.csv mpirun -n 2 "$fake" $kernel
    expect "code" 0 "$code"
    expect "calls of two ranks" 1 "$(grep -c 'gemm.*,20,' all.csv)"
}

case $promise in
exit_codes | usage | streams | arguments | environment | signals | ignored_signals | ignored_children | paused | late_toggle | killed_program | killed_launcher | \
    folder | terminal | no_folder | names | gone_folder | unwritable_later | children | outliving | settings | ranks | reasons | static | mpi) "$promise" ;;
*) expect "promise" "a known one" "$promise" ;;
esac
exit "$failed"
