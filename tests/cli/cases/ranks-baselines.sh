# SPDX-License-Identifier: MIT
# Several ranks measure no baselines unless they are asked to; a rank alone does.
unset SLURM_JOB_ID
baselines() # OPTION...
{
    kerntime bench fill --size 4096 --samples 6..6 -d cpu:0 -q --json %r "$@" >/dev/null
    json_value "$RANK" '"baselines" if j["baselines"] else "none"'
    rm "$RANK"
}
export RANK=0 WORLD_SIZE=1
baselines
export RANK=1 WORLD_SIZE=2
baselines
baselines --runs 2
baselines --baseline-samples 6
try kerntime bench fill --size 4096 -d cpu:0 --plot-what speedup --plot %r.svg || :
