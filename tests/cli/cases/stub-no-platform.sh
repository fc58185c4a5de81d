# SPDX-License-Identifier: MIT
# A loader without a platform, and platforms without a device.
for missing in platforms=0 devices=0; do
    try env KT_STUB_OPENCL=$missing kerntime bench matmul -s 32 -d opencl
    try env KT_STUB_OPENCL=$missing kerntime bench matmul -s 32 -d opencl:0
    try env KT_STUB_OPENCL=$missing KERNTIME_BACKENDS=opencl,sim kerntime devices --no-identity --json file
    check_json file
    json_value file 'j["backends"]' 'j["devices"]'
done
rm file
