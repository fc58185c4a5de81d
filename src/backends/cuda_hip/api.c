/* SPDX-License-Identifier: MIT */
/* api.c - opens the driver, and names its calls and codes. */
#include "backends/cuda_hip/internal.h"
#include "support/dl.h"

#include <stdio.h>

#define HIP_VERSION_MIN 50000000 /* 5.0; earlier versions number attributes differently */

static const char *const install_hint[CUDA_KIND_COUNT] = {
    "install NVIDIA's driver (Debian: libcuda1)",
    "install AMD's HIP runtime (Debian: libamdhip64-5)"};
static const char *const too_old[CUDA_KIND_COUNT] = {"drivers from CUDA 7.0 on have it",
                                                     "HIP from 5.0 on has it"};
static const char *const title[CUDA_KIND_COUNT] = {"CUDA driver", "HIP runtime"};
static const char *const variable[CUDA_KIND_COUNT] = {"KERNTIME_LIB_CUDA", "KERNTIME_LIB_HIP"};

#define CUDA_NAME(name, cuda, hip, parameters) KT_DL_NAME(#cuda)
#define HIP_NAME(name, cuda, hip, parameters)  KT_DL_NAME(#hip)
#define CUDA_MAY(name, cuda, hip, parameters)  KT_DL_OPTIONAL(#cuda)
#define HIP_MAY(name, cuda, hip, parameters)   KT_DL_OPTIONAL(#hip)
#define ALONE_NAME(name, symbol, parameters)   KT_DL_NAME(#symbol)
#define ALONE_MAY(name, symbol, parameters)    KT_DL_OPTIONAL(#symbol)

/* Functions of both APIs, and those of one API alone. */
static const char cuda_both[] = CUDA_FUNCTIONS(CUDA_NAME) CUDA_OPTIONAL(CUDA_MAY);
static const char hip_both[] = CUDA_FUNCTIONS(HIP_NAME) CUDA_OPTIONAL(HIP_MAY);
static const char cuda_alone[] = CUDA_ALONE(ALONE_NAME) CUDA_ALONE_OPTIONAL(ALONE_MAY);
static const char hip_alone[] =
    HIP_ALONE(ALONE_NAME) HIP_ALONE_OPTIONAL(ALONE_MAY) HIP_TEXTS(ALONE_NAME);

KT_DL_NAMES(cuda_names, "cuda", "Measuring CUDA devices", "libcuda.so.1");
KT_DL_NAMES(hip_names, "hip", "Measuring HIP devices", "libamdhip64.so.7", "libamdhip64.so.6",
            "libamdhip64.so.5", "libamdhip64.so");

/* ---- names ---- */

const char *kt_cuda_call_name(const cuda_api *api, cuda_call which)
{
    bool is_hip = api->kind == CUDA_KIND_HIP;
    return which < CUDA_CALL_OF_BOTH
               ? kt_dl_nth(is_hip ? hip_both : cuda_both, which)
               : kt_dl_nth(is_hip ? hip_alone : cuda_alone, which - CUDA_CALL_OF_BOTH);
}

const char *kt_cuda_code_name(const cuda_api *api, cuda_code code)
{
    const char *name = NULL;
    if (api->kind == CUDA_KIND_HIP)
        name = KT_CALL(api, hipGetErrorName, NULL, code);
    else if (CUDA_CODE(api, cuGetErrorName, code, &name) != CUDA_OK)
        name = NULL;
    return name ? name : "unknown code";
}

static const char *code_text(const cuda_api *api, cuda_code code)
{
    const char *text = NULL;
    if (api->kind == CUDA_KIND_HIP)
        text = KT_CALL(api, hipGetErrorString, NULL, code);
    else if (CUDA_CODE(api, cuGetErrorString, code, &text) != CUDA_OK)
        text = NULL;
    return text ? text : "the driver has no words for it";
}

/* Whether a driver's code means that the context, which the whole process shares, is unusable. On
 * HIP, code 709 only means that a stream does not exist. */
static bool is_lost(const cuda_api *api, cuda_code code)
{
    switch (code) {
    case CUDA_CONTEXT_IS_DESTROYED: return api->kind == CUDA_KIND_CUDA;
    case CUDA_ECC_UNCORRECTABLE:
    case CUDA_NVLINK_UNCORRECTABLE:
    case CUDA_CONTAINED:
    case CUDA_ILLEGAL_ADDRESS:
    case CUDA_LAUNCH_TIMEOUT:
    case CUDA_ASSERT:
    case CUDA_HARDWARE_STACK_ERROR:
    case CUDA_ILLEGAL_INSTRUCTION:
    case CUDA_MISALIGNED_ADDRESS:
    case CUDA_INVALID_ADDRESS_SPACE:
    case CUDA_INVALID_PC:
    case CUDA_LAUNCH_FAILED:
    case CUDA_TENSOR_MEMORY_LEAK:
    case CUDA_MPS_CLIENT_TERMINATED: return true;
    default: return false;
    }
}

kt_status kt_cuda_fail(const cuda_api *api, cuda_call which, cuda_code code)
{
    kt_status status = code == CUDA_OUT_OF_MEMORY ? KT_NO_MEMORY
                       : is_lost(api, code)       ? KT_DEVICE_LOST
                                                  : KT_DRIVER_ERROR;
    return kt_fail(status, "%s failed: %s (%d): %s", kt_cuda_call_name(api, which),
                   kt_cuda_code_name(api, code), (int)code, code_text(api, code));
}

uint64_t kt_cuda_attribute_of(const cuda_api *api, cuda_ordinal ordinal, cuda_attribute attribute)
{
    int value = 0;
    if (CUDA_CODE(api, cuDeviceGetAttribute, &value, attribute, ordinal) != CUDA_OK || value < 0)
        return 0;
    return (uint64_t)value;
}

/* ---- opening ---- */

static kt_status load(cuda_api *api, cuda_kind kind)
{
    void *library = NULL;
    bool is_hip = kind == CUDA_KIND_HIP;
    kt_status status = kt_dl_open(variable[kind], is_hip ? hip_names : cuda_names, &library);
    if (status != KT_OK && kt_environment(variable[kind]))
        return status; /* the error text names the missing library */
    if (status != KT_OK)
        return kt_fail(status, "%s; %s", kt_error_text(), install_hint[kind]);
    api->library = library;
    status = kt_dl_load(library, is_hip ? hip_both : cuda_both, &api->cuInit);
    if (status == KT_OK)
        status = is_hip ? kt_dl_load(library, hip_alone, &api->hipGetDevice)
                        : kt_dl_load(library, cuda_alone, &api->cuDevicePrimaryCtxRetain);
    if (status != KT_OK)
        return kt_fail(status, "%s; %s", kt_error_text(), too_old[kind]);
    if (!is_hip && !api->cuDevicePrimaryCtxRelease && !api->cuDevicePrimaryCtxRelease_v2)
        return kt_fail(KT_UNAVAILABLE, "the driver library has no cuDevicePrimaryCtxRelease; %s",
                       too_old[kind]);
    return KT_OK;
}

static kt_status no_device(const cuda_api *api)
{
    return kt_fail(KT_UNAVAILABLE, "the %s finds no device", title[api->kind]);
}

kt_status kt_cuda_count_devices(const cuda_api *api, uint32_t *count)
{
    int found = 0;
    cuda_code code = CUDA_CODE(api, cuDeviceGetCount, &found);
    if (code == CUDA_NO_DEVICE || (code == CUDA_OK && found <= 0))
        return no_device(api);
    *count = (uint32_t)found;
    return cuda_check(api, CUDA_CALL_cuDeviceGetCount, code);
}

/* An init that finds no device returns code 100, or on HIP also 101 (seen in HIP 5.2). */
static kt_status explain_init(const cuda_api *api, cuda_code code)
{
    if (code == CUDA_STUB_LIBRARY)
        return kt_fail(KT_UNAVAILABLE,
                       "the library is the stub that toolkits bring for linking, not a driver; %s",
                       install_hint[api->kind]);
    if (code == CUDA_NO_DEVICE || (api->kind == CUDA_KIND_HIP && code == CUDA_INVALID_DEVICE))
        return no_device(api);
    kt_cuda_fail(api, CUDA_CALL_cuInit, code);
    return kt_fail(KT_UNAVAILABLE, "%s", kt_error_text());
}

kt_status kt_cuda_open(cuda_api *api, cuda_kind kind)
{
    api->kind = kind;
    kt_status status = load(api, kind);
    if (status != KT_OK)
        return status;
    int version = 0;
    if (kind == CUDA_KIND_HIP && CUDA_CODE(api, cuDriverGetVersion, &version) == CUDA_OK &&
        version < HIP_VERSION_MIN)
        return kt_fail(KT_UNAVAILABLE, "the HIP runtime is version %d.%d; 5.0 or later is needed",
                       version / 10000000, version / 100000 % 100);
    cuda_code code = CUDA_CODE(api, cuInit, 0);
    return code == CUDA_OK ? KT_OK : explain_init(api, code);
}
