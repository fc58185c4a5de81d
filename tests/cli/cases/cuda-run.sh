# SPDX-License-Identifier: MIT
# Kernel files in CUDA C, over a driver that knows saxpy.
export KERNTIME_BACKENDS=cuda KERNTIME_LIB_CUDA="$KT_STUB_CUDA_LIB" KERNTIME_LIB_NVRTC="$KT_STUB_CUDA_LIB"
stub=clock=host,blocking=patient
measure="--samples 3..3 --max-time 1ms -d cuda:0"
cat >saxpy.cu <<'END'
extern "C" __global__ void saxpy(const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += 2 * x[i];
}
END
# Guesses are said once, however many runs there are.
KT_STUB_CUDA=$stub kerntime run saxpy.cu -n 256 --runs 3 $measure --json file 2>errors >/dev/null
echo "exit $?, $(grep -c ' elements, random 0..1 (guess)' errors) line"
json_value file '[r["run"] for r in j["series"] if r["kind"] == "kernel"]'
# Each configuration has the types of its own -D: in 1 MiB is room for two times 64 Ki floats, but not for as many doubles.
sed 's/float/REAL/g' saxpy.cu >types.cu
KT_STUB_CUDA=$stub,total_bytes=1048576 kerntime run types.cu -n 64Ki -D REAL=float,double $measure -q --json file >/dev/null 2>&1
json_value file '[(r["variant"], r["status"], "that are free on the device" in (r["error"] or "")) for r in j["series"] if r["kind"] == "kernel"]'
rm saxpy.cu types.cu file errors
