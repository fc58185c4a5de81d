/* SPDX-License-Identifier: MIT */
/* backend.c - the backends of NVIDIA's driver API (CUDA) and of AMD's HIP: one implementation,
 * timed by events. */
#include "backends/cuda_hip/internal.h"

static kt_status lib_init(cuda_lib *lib, cuda_kind kind, uint32_t *device_count)
{
    kt_status status = kt_cuda_open(&lib->api, kind);
    if (status != KT_OK)
        return status;
    status = kt_cuda_count_devices(&lib->api, device_count);
    if (status != KT_OK)
        return status;
    kt_cuda_compiler_open(&lib->compiler, &lib->api);
    if (kind == CUDA_KIND_CUDA)
        kt_cuda_nvml_version(lib->driver_version, sizeof lib->driver_version);
    return KT_OK;
}

#define TIMER_SLOTS                                                                       \
    .timer_context_size = sizeof(cuda_timer_context), .mark_size = sizeof(cuda_mark),     \
    .timer_context_fini = kt_cuda_timer_context_fini, .stream_init = kt_cuda_stream_init, \
    .mark_start = kt_cuda_mark_start, .mark_stop = kt_cuda_mark_stop,                     \
    .mark_read = kt_cuda_mark_read, .mark_fini = kt_cuda_mark_fini,                       \
    .reading_begin = kt_cuda_reading_begin, .reading_end = kt_cuda_reading_end

#define SLOTS                                                                         \
    .lib_size = sizeof(cuda_lib), .device_fini = kt_cuda_device_fini,                 \
    .languages_with_local = KT_LANGUAGE_CUDA_C | KT_LANGUAGE_PTX,                     \
    .program_reflect = kt_cuda_program_reflect, .program_fini = kt_cuda_program_fini, \
    .job_flush_caches = kt_cuda_job_flush_caches, KT_SLOTS(cuda)

#if KT_HAVE_CUDA
static kt_status cuda_lib_init(void *lib, uint32_t *device_count)
{
    return lib_init(lib, CUDA_KIND_CUDA, device_count);
}

static const kt_instrumentation cuda_instrumentation = {
    .timer_context_init = kt_cuda_timer_context_init, TIMER_SLOTS};

const kt_backend kt_backend_cuda = {.name = "cuda",
                                    .title = "CUDA",
                                    .lib_init = cuda_lib_init,
                                    .device_state = kt_cuda_device_state,
                                    .instrumentation = &cuda_instrumentation,
                                    SLOTS};
#endif

#if KT_HAVE_HIP
static kt_status hip_lib_init(void *lib, uint32_t *device_count)
{
    return lib_init(lib, CUDA_KIND_HIP, device_count);
}

static const kt_instrumentation hip_instrumentation = {
    .timer_context_init = kt_hip_timer_context_init, TIMER_SLOTS};

const kt_backend kt_backend_hip = {.name = "hip",
                                   .title = "HIP",
                                   .lib_init = hip_lib_init,
                                   .instrumentation = &hip_instrumentation,
                                   SLOTS};
#endif
