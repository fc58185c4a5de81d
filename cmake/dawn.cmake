# SPDX-License-Identifier: MIT
# Dawn in both forms of WebGPU's ABI, from where ./dev puts it: to measure and to test on. Nothing is built with it.
set(npm ${PROJECT_SOURCE_DIR}/build/npm/node_modules)
set(KT_DAWN_EARLY ${npm}/bun-webgpu-linux-x64/libwebgpu_wrapper.so CACHE FILEPATH "Dawn of early 2025, a library")
set(KT_DAWN_TODAY ${npm}/webgpu/dist/linux-x64/dawn.node CACHE FILEPATH "Dawn of 2026, for node.js")
mark_as_advanced(KT_DAWN_EARLY KT_DAWN_TODAY)
# A driver that both accept, of package chromium-common, which no loader of Vulkan finds by itself.
set(KT_SWIFTSHADER_ICD /usr/lib/chromium/vk_swiftshader_icd.json)
