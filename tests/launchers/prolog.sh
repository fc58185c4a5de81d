#!/bin/sh
# SPDX-License-Identifier: MIT
# prolog.sh KERNTIME: what examples/slurm/prolog.sh makes of what kerntime can do. A stand-in measures, KERNTIME compares. Only
# what the node itself shows drains it: not a disk that is full. A kerntime that does not end when it is asked to is killed.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
work=$(mktemp -d) && cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT
cp "$here/../../examples/slurm/prolog.sh" .
for name in logger scontrol; do
    printf '#!/bin/sh\necho "%s $*" >>"%s/said"\n' $name "$work" >$name
done
printf 'kerntime=%s/kerntime scontrol=%s/scontrol limit=1 patience=1\n' "$work" "$work" >prolog.conf
export PATH="$work:$PATH" SLURMD_NODENAME=n1 real=$1

# measure FILE SIZES SCENARIO DEVICE...
measure() {
    file=$1 sizes=$2 scenario=$3
    shift 3
    for device; do set -- "$@" -d "sim:$device:$scenario"; shift; done
    "$real" bench saxpy --size "$sizes" "$@" --timing device --runs 3 --samples 30..30 -q --json "$file" >table || exit 1
}

# judge CODE SENTENCE: kerntime is standard input
judge() {
    { echo '#!/bin/sh'; echo '[ "$1" != compare ] || exec "$real" "$@"'; echo 'for result; do :; done'; cat; } >kerntime
    chmod +x kerntime logger scontrol
    : >said
    sh prolog.sh
    [ $? = "$1" ] && [ "$(cat said)" = "$2" ] || { echo "wanted $1: $2; said: $(cat said)"; exit 1; }
}

good=kernel_ns=200000,jitter_ns=200
measure baseline.json 4096 $good 0 1 2 3
measure same 4096 $good,seed=7 0 1 2 3
judge 0 '' <<'PROGRAM'
cp same "$result"
PROGRAM
measure slow 4096 kernel_ns=220000,jitter_ns=200 0 1 2 3
judge 1 'scontrol update nodename=n1 state=drain reason=kerntime: slower: saxpy/4096 sim:0 200.0 us 219.9 us +10.0 %' <<'PROGRAM'
cp slow "$result"
PROGRAM
# A device is missing. So are all rows of a baseline of another size: nobody's fault but the administrator's.
measure three 4096 $good 0 1 2
judge 1 "scontrol update nodename=n1 state=drain reason=kerntime: missing: saxpy/4096 on sim:3:$good" <<'PROGRAM'
cp three "$result"
PROGRAM
measure size 8192 $good 0 1 2 3
judge 0 "logger -t kerntime-prolog n1: not judged: only in the baseline: saxpy/4096 on sim:0:$good, saxpy/4096 on sim:1:$good, saxpy/4096 on sim:2:$good and 1 more" <<'PROGRAM'
cp size "$result"
PROGRAM
# Nothing can be told, which the log says.
sed 's/"name": "simulated device"/"name": "H100"/' same >model
judge 0 "logger -t kerntime-prolog n1: not judged: not compared: saxpy/4096 on sim:0, saxpy/4096 on sim:1, saxpy/4096 on sim:2 and 1 more: the devices differ: simulated device in the baseline, H100 in the contender" <<'PROGRAM'
cp model "$result"
PROGRAM
measure noisy 4096 kernel_ns=200000,jitter_ns=60000 0 1 2 3
judge 0 "logger -t kerntime-prolog n1: not judged: inconclusive (no change shown; changes up to 19 % are not excluded): 4 inconclusive" <<'PROGRAM'
cp noisy "$result"
PROGRAM
measure baseline.json 4096,8192,16384 $good 0 1 2 3
measure twelve 4096,8192,16384 kernel_ns=220000,jitter_ns=200 0 1 2 3
judge 0 "logger -t kerntime-prolog n1: not judged: common-mode shift: everything is 10 % slower (95% interval +10.0 .. +10.0 %); check the machine, then read RESIDUAL: each row without that shift" <<'PROGRAM'
cp twelve "$result"
PROGRAM
judge 1 'scontrol update nodename=n1 state=drain reason=kerntime: a kernel failed' <<'PROGRAM'
echo result >"$result"
echo 'kerntime: a kernel failed' >&2
exit 4
PROGRAM
judge 0 'logger -t kerntime-prolog n1: not judged: kerntime: --json: cannot write: No space left on device' <<'PROGRAM'
echo 'kerntime: --json: cannot write: No space left on device' >&2
exit 4
PROGRAM
judge 1 'scontrol update nodename=n1 state=drain reason=kerntime: no result within 1 s' <<'PROGRAM'
trap '' TERM
while :; do sleep 1; done
PROGRAM
