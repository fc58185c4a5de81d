# SPDX-License-Identifier: MIT
# Who measured: a GPU has the same UUID and address over each API whose driver tells the same bytes, other drivers leave
# them unknown, and a simulated device has those of its scenario. The rank is the launcher's. --no-identity leaves all out.
[ -n "${KT_STUB_LIB:-}" ] && [ -n "${KT_STUB_VULKAN_LIB:-}" ] || skip "built without headers for OpenCL or Vulkan"
export KERNTIME_BACKENDS=cuda,opencl,vulkan,sim KERNTIME_LIB_CUDA="$KT_STUB_CUDA_LIB" KERNTIME_LIB_VULKAN="$KT_STUB_VULKAN_LIB"
kerntime devices -d cuda:0 -d opencl:0 -d vulkan:0 --json file | grep identity
json_value file '[(d["id"], d["pci_address"], d["uuid"], d["serial"]) for d in j["devices"]]' '"name" in j["host"]'
KT_STUB_OPENCL=type=cpu kerntime devices -d opencl:0 --json - | grep uuid
KT_STUB_VULKAN=api=1.0 kerntime devices -d vulkan:0 --json - | grep -E 'pci|uuid'
KT_STUB_VULKAN=api=1.0 kerntime devices -d vulkan:0 | grep identity
kerntime devices -d sim:3:uuid=7,pci=66 -d sim:3:uuid=7,pci=67,seed=2 | grep -A1 identity

SLURM_JOB_ID=47 SLURM_STEP_ID=0 SLURM_PROCID=3 SLURM_STEP_NUM_TASKS=16 SLURM_LOCALID=1 SLURMD_NODENAME=n1 kerntime devices -d sim | head -3
export RANK=3 WORLD_SIZE=4 LOCAL_RANK=1
kerntime bench empty -d sim --samples 5..5 -q --baseline-samples 0 --json 'rank%r' >table
check_json rank3
json_value rank3 'j["launch"]' 'j["host"]["name"]' '"boot_id" in j["host"]'
"$KT_REWRITE" rank3 | cmp - rank3
kerntime bench empty -d sim --samples 5..5 -q --baseline-samples 0 --no-identity --json 'rank%r' >table
check_json rank3
json_value rank3 'j["launch"]' '"name" in j["host"]' '[j["devices"][0][k] for k in ("pci_address", "uuid", "serial")]'
kerntime devices -d sim --no-identity | grep 'identity\|^host\|^rank'
kerntime devices -d sim --no-identity | head -1
rm file rank3 table
