# SPDX-License-Identifier: MIT
# Beside a GPU a device that runs on the CPU is listed and not measured, but where it is named.
export KERNTIME_BACKENDS=cuda,opencl KERNTIME_LIB_CUDA="$KT_STUB_CUDA_LIB" KT_STUB_CUDA=clock=host,blocking=patient
measured()
{
    kerntime bench empty --size 1 --samples 2..2 --max-time 1ms "$@" --json file >/dev/null
    json_value file 'sorted({s["device"] for s in j["series"]})'
}
export KT_STUB_OPENCL=type=cpu
kerntime devices | grep '^[a-z]*:0' | sed 's/ .*//'
measured 2>&1 | grep -v '^advice' | sed 's/: under 1 s$//'
measured --runs 2 2>&1 | grep -v '^advice' | sed 's/: under 1 s$//'
measured -q
measured -q -d opencl
measured -q -d cuda:0 -d opencl:0
# A GPU itself is no software, whatever its API.
KT_STUB_OPENCL=type=gpu measured -q
rm file
