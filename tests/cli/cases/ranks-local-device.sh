# SPDX-License-Identifier: MIT
# --local-device: the local rank modulo the number of devices, of which sim has four; and what cannot be told.
unset RANK WORLD_SIZE LOCAL_RANK LOCAL_WORLD_SIZE
for rank in 0 3 6; do
    RANK=$rank LOCAL_RANK=$rank WORLD_SIZE=8 try kerntime devices --local-device sim | grep unit
done
RANK=2 LOCAL_RANK=2 WORLD_SIZE=4 kerntime bench empty --size 8 --local-device sim --runs 2 --samples 2..2 -q | grep -c '^empty/8 .*sim:2 '

try kerntime devices --local-device sim
try kerntime devices --local-device sim -d sim:1
try kerntime devices --local-device sim:0
try kerntime devices --local-device smi
PMIX_RANK=3 try kerntime devices --local-device sim

# Two launchers: each process takes itself for the only one.
OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_LOCAL_RANK=0 PMI_RANK=5 PMI_SIZE=16 \
    try kerntime devices --local-device sim >/dev/null

# With a device of its own for each rank, none is shared.
if [ -n "${KT_STUB_CUDA_LIB:-}" ]; then
    export KERNTIME_LIB_CUDA="$KT_STUB_CUDA_LIB" RANK=1 LOCAL_RANK=1 WORLD_SIZE=2
    CUDA_VISIBLE_DEVICES=1 try kerntime devices --local-device cuda | grep unit
    try kerntime devices --local-device cuda | grep unit
    KT_STUB_CUDA=devices=2 try kerntime devices --local-device cuda | grep unit
fi
