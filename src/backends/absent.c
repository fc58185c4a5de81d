/* SPDX-License-Identifier: MIT */
/* absent.c - the rows of backends that this build leaves out (src/CMakeLists.txt). */
#include "backend.h"

static kt_status lib_init(void *lib, uint32_t *device_count)
{
    (void)lib, (void)device_count;
#ifdef __wasm__
    return kt_fail(KT_UNAVAILABLE, "WebAssembly has no driver of this API");
#else
    return kt_fail(KT_UNAVAILABLE, "kerntime was built without this API");
#endif
}

#define ABSENT_1(backend, shown)
#define ABSENT_0(backend, shown)              \
    const kt_backend kt_backend_##backend = { \
        .name = #backend, .title = shown, .lib_init = lib_init};
#define ABSENT_(have, backend, shown) ABSENT_##have(backend, shown)
#define ABSENT(have, backend, shown)  ABSENT_(have, backend, shown)
ABSENT(KT_HAVE_CPU, cpu, "CPU")
ABSENT(KT_HAVE_CUDA, cuda, "CUDA")
ABSENT(KT_HAVE_HIP, hip, "HIP")
ABSENT(KT_HAVE_LEVEL_ZERO, level_zero, "Level Zero")
ABSENT(KT_HAVE_METAL, metal, "Metal")
ABSENT(KT_HAVE_OPENCL, opencl, "OpenCL")
ABSENT(KT_HAVE_VULKAN, vulkan, "Vulkan")
ABSENT(KT_HAVE_WEBGPU, webgpu, "WebGPU")
ABSENT(KT_HAVE_SIM, sim, "simulated")
