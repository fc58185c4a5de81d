#!/bin/sh
# SPDX-License-Identifier: MIT
# slurm.sh KERNTIME: Slurm with four nodes on this machine: ranks of srun, and the prolog of examples/slurm, which drains node n3,
# whose device is slow, and n4, whose device is wrong. 77: Slurm is missing, or does not start.
set -u

kerntime=$1
here=$(cd "$(dirname "$0")" && pwd) || exit 1
# shellcheck disable=SC1091
. "$here/slurm_nodes.sh"
# shellcheck disable=SC1091
. "$here/guide.sh"
why=$(slurm_refuses)
[ -z "$why" ] || {
    echo "skipped: $why"
    exit 77
}
work=$(mktemp -d) && chmod 755 "$work" && cd "$work" || exit 1
trap 'slurm_stop; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
export KERNTIME_BACKENDS=sim

fail() {
    echo "$*"
    for log in "$work"/slurm/*.log "$work"/slurm/*.out; do echo "== $log"; tail -n 5 "$log"; done
    exit 1
}

# The prolog of the site: the example, with a baseline, and a measurement over sim in which n3 is slow and n4 wrong.
mkdir prolog out
cp "$here/../../examples/slurm/prolog.sh" prolog/
device='sim:0:kernel_ns=250000,jitter_ns=800'
options='--size 1048576 --timing device --max-time 100ms'
# shellcheck disable=SC2086 # words
"$kerntime" bench saxpy -d "$device,seed=7" $options --runs 5 -q --json prolog/baseline.json >/dev/null || exit 1
cat >prolog/prolog.conf <<CONF
export KERNTIME_BACKENDS=sim PATH="$PATH"
kerntime=$kerntime
case \$SLURMD_NODENAME in
n3) fault=,kernel_ns=270000 ;;
n4) fault=,wrong=1 ;;
*) fault= ;;
esac
measure="bench saxpy -d $device,seed=8\$fault $options --runs 3"
CONF

slurm_configure "$work/slurm" && slurm_start || {
    echo "skipped: four nodes of Slurm do not start on this machine"
    exit 77
}

# Each rank has its place, its own file, and the node's name.
srun -N 4 -n 4 "$kerntime" bench saxpy --size 1024 -q -d sim:0 --start-together out --json 'out/%h.%r.json' >table 2>err || fail "srun: $(cat err)"
[ "$(ls -A out | tr '\n' ' ')" = "n1.0.json n2.1.json n3.2.json n4.3.json " ] || fail "files: $(ls -A out)"
/usr/bin/python3 "$here/check_ranks.py" 4 n1,n2,n3,n4 out/*.json || fail "ranks"
srun -N 2 -n 2 "$kerntime" bench saxpy --size 1024 -q -d sim:0:wrong=1 --json 'out/wrong.%r.json' >/dev/null 2>&1
[ $? = 4 ] || fail "the exit code of a wrong result does not pass through"

# The command of the guide.
mkdir guide guide/out
guide_block "$here/../../docs/launchers.md" Slurm >guide/script
(cd guide && PATH="$(dirname "$kerntime"):$PATH" sh script >../table 2>../err && guide_files 16) || fail "guide: $(cat err)"

# A slow device is measured once more beside good ones, by the commands that are printed.
mkdir slow
srun -N 4 -n 4 sh -c '"$0" bench saxpy --size 4096 --samples 20..20 --runs 3 -q --json "slow/%r.json" \
    -d "sim:0:kernel_ns=$((60000 + (SLURM_PROCID == 1) * 3000)),jitter_ns=80,seed=$SLURM_PROCID"' "$kerntime" >table 2>err || fail "srun: $(cat err)"
"$kerntime" fleet slow -q --again >commands
PATH="$(dirname "$kerntime"):$PATH" sh commands >table 2>err || fail "again: $(cat commands err)"
"$kerntime" fleet again -q --slurm >lines
[ $? = 1 ] && [ "$(cut -d ' ' -f 1-4 lines)" = 'scontrol update nodename=n2 state=drain' ] || fail "again: $(cat commands lines)"

# With the prolog, jobs on n3 and n4 are refused, and the nodes drained with a reason; the others run jobs.
echo "Prolog=$work/prolog/prolog.sh" >>slurm/slurm.conf
scontrol reconfigure || fail "no reconfiguration"
srun -w n1,n2 -N 2 -n 2 true || fail "a good node refuses jobs: $(sinfo -R)"
refused() { # NODE PATTERN
    timeout 60 srun -w "$1" -N 1 -n 1 touch "$work/ran" 2>err
    [ ! -e ran ] || fail "a job ran on $1"
    slurm_wait "[ \"\$(sinfo -h -n $1 -o %T)\" = drained ]" || fail "$(sinfo -N)"
    reason=$(sinfo -h -R -n "$1" -o %E)
    # shellcheck disable=SC2254 # a pattern
    case $reason in
    $2) ;;
    *) fail "$1 is drained, but for: $reason" ;;
    esac
}
refused n3 'kerntime: slower: saxpy/1048576 249.* us 2* us +[78].* %'
refused n4 'kerntime: run 1 of 3: saxpy/1048576 on sim:0*: wrong output: *'
[ "$(sinfo -h -N -o '%N %t' | tr '\n' ' ')" = 'n1 idle n2 idle n3 drain n4 drain ' ] || fail "$(sinfo -N)"
