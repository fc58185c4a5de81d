# SPDX-License-Identifier: MIT
# A driver that hangs where no time limit of its own is: the first process ends the one that is silent for 60 s and six
# times --timeout, and blames the configuration.
cat >one.cl <<'END'
kernel void saxpy(global const float *x, global float *y, uint n) { y[get_global_id(0)] += 2 * x[get_global_id(0)]; }
END
KT_STUB_OPENCL=build=hang kerntime run one.cl -n 64 -d opencl:0 --timeout 100ms -q --json file >table
echo "exit $?"
check_json file
json_value file '[(r["status"], r["error"]) for r in j["series"]]'
ls "$TMPDIR"
rm one.cl file table
