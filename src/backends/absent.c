/* absent.c - the rows of backends that a build leaves out: WebAssembly has no drivers but WebGPU. */
#include "backend.h"

static kt_status lib_init(void *lib, uint32_t *device_count)
{
    (void)lib, (void)device_count;
    return kt_fail(KT_UNAVAILABLE, "WebAssembly has no driver of this API");
}

#define ABSENT(backend, shown)                \
    const kt_backend kt_backend_##backend = { \
        .name = #backend, .title = shown, .lib_init = lib_init};
ABSENT(cpu, "CPU")
ABSENT(cuda, "CUDA")
ABSENT(hip, "HIP")
ABSENT(level_zero, "Level Zero")
ABSENT(metal, "Metal")
ABSENT(opencl, "OpenCL")
ABSENT(vulkan, "Vulkan")
