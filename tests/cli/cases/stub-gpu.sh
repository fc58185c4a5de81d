# SPDX-License-Identifier: MIT
# -d gpu names the GPUs of all backends, not the CPU and no simulated device. Without one: exit code 3.
kerntime bench empty -d gpu -d sim:1 --size 1 --samples 2..2 -q --json - | sed -n 's/^      "id": //p'
KT_STUB_OPENCL=type=cpu
export KT_STUB_OPENCL
try kerntime bench empty -d gpu --json file
try kerntime bench empty -d sim:0 -d gpu
exit 0
