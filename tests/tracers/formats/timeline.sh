# SPDX-License-Identifier: MIT
# The time line: devices and host calls on one clock, or on two.
check_timeline()
{
    /usr/bin/python3 "$here/../tracers/check_timeline.py" "$@"
}
kerntime trace -q --trace t -- "$KT_FAKE_TRACED" device opencl:0 GPU 1 offset now 50 kernel gemm 100 20000 queue 1 \
    copy up 30 10000 4096 threads 4 kernel relu 100 3000 threads 1 queue 0 together 50 kernel many 100 1000 fork queue 1 together 1 threads 4 kernel child 5 1000
check_timeline t
# The relation of the clocks is unknown, and the memory is full.
kerntime trace -q --memory 64KiB --trace t -- "$KT_FAKE_TRACED" device opencl:0 GPU 1 kernel gemm 5000 20000
check_timeline t
rm t
