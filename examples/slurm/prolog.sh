#!/bin/sh
# SPDX-License-Identifier: MIT
# Prolog of Slurm: measures the devices of this node for a few seconds before each job, and drains the node with a
# reason if one is slower than a good node's, is missing, computes wrong results or fails. README.md beside it says how to install it.
set -u

here=$(dirname "$0")
kerntime=/usr/bin/kerntime scontrol=scontrol
baseline=$here/baseline.json       # of a good node of the same kind
measure='bench matmul -d cuda --size 4096 --timing device --baseline-samples 0 --runs 3 --max-time 500ms'
min_effect=5%                      # what counts as slow
limit=60 patience=10               # seconds, and as many more if a driver hangs; keep both below BatchStartTimeout and MessageTimeout
# shellcheck disable=SC1091 # the site's own values of the variables above
[ ! -e "$here/prolog.conf" ] || . "$here/prolog.conf"

# Nobody's job waits for a measurement that is not possible or shows nothing: the node is kept, and the administrator told.
keep() { # WHY
    logger -t kerntime-prolog "$SLURMD_NODENAME: not judged: $*"
    exit 0
}

work=$(mktemp -d) || keep "no folder for the result"
trap 'rm -rf "$work"' EXIT

# Exit code 1 makes Slurm requeue the job. The reason is set before, so that it stays.
drain() { # REASON
    "$scontrol" update nodename="$SLURMD_NODENAME" state=drain reason="kerntime: $*"
    exit 1
}

# Asked to end, kerntime waits for what is under way, in a driver that hangs without an end: so it is killed later.
# shellcheck disable=SC2086 # words of an option
timeout -k "$patience" "$limit" "$kerntime" $measure -q --json "$work/result.json" >"$work/out" 2>"$work/err"
case $? in
0) ;;
4) # a failure, which is in the result; without one, the result could not be written
    [ -s "$work/result.json" ] || keep "$(head -n 1 "$work/err")"
    drain "$(sed -n '1s/^kerntime: //p' "$work/err" | cut -c 1-120)"
    ;;
124 | 137) drain "no result within $limit s" ;;
*) keep "$(head -n 1 "$work/err")" ;;
esac

"$kerntime" compare --timing device --min-effect "$min_effect" -q "$baseline" "$work/result.json" >"$work/table" 2>"$work/err"
case $? in
1) # of the slowest row: name, device, time of the baseline, time now, change
    drain "slower: $(sed -n 's/^slower  *\([^%]*%\).*/\1/p' "$work/table" | head -n 1 | tr -s ' ')" ;;
2 | 4) keep "$(head -n 1 "$work/err")" ;;
5) # rows of the baseline that this node lacks, while it has others: a device is missing
    missing=$(sed -n 's/^warning: only in the baseline: //p' "$work/table" | cut -c 1-120)
    [ -z "$missing" ] || grep -q 'no row was compared' "$work/table" || drain "missing: $missing"
    keep "$(sed -n 's/^warning: //p; s/^Overall //p' "$work/table" | head -n 1)"
    ;;
esac
exit 0
