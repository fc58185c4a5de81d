# SPDX-License-Identifier: MIT
# Interrupted while it waits for the other ranks, `kerntime run` begins nothing: no folder for the processes that measure.
unset TORCHELASTIC_RUN_ID PBS_JOBID LSB_JOBID SLURM_JOB_ID
cat >one.cl <<'END'
kernel void saxpy(global const float *x, global float *y, uint n) { y[get_global_id(0)] += 2 * x[get_global_id(0)]; }
END
mkdir shared
TMPDIR=none RANK=0 WORLD_SIZE=2 kerntime run one.cl -n 64 -d opencl:0 -q --start-together shared --start-limit 1h >table &
process=$!
until [ -n "$(find shared -name '*.here')" ]; do
    kill -0 $process || break
    sleep 0.05
done
kill -TERM $process
wait $process
echo "exit $?"
ls -A shared
rm -r one.cl table shared
