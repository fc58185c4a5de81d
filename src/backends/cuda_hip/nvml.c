/* SPDX-License-Identifier: MIT */
/* nvml.c - reads the driver's version from NVML, the management library of NVIDIA's driver. The
 * driver API does not report it. */
#include "backends/cuda_hip/internal.h"
#include "support/dl.h"

typedef int nvml_code; /* an enum in nvml.h; 0 is success */

typedef struct nvml_api {
#define NVML_POINTER(name, symbol, parameters) nvml_code(*name) parameters;
    CUDA_NVML(NVML_POINTER)
#undef NVML_POINTER
} nvml_api;

#define NVML_NAME(name, symbol, parameters) KT_DL_NAME(#symbol)
static const char names[] = CUDA_NVML(NVML_NAME);

KT_DL_NAMES(nvml_names, "nvml", "Telling the version of NVIDIA's driver", "libnvidia-ml.so.1");

#define NVML_FAULT 999

void kt_cuda_nvml_version(char *version, size_t bytes)
{
    void *library = NULL;
    nvml_api nvml = {0};
    version[0] = '\0';
    if (kt_dl_open("KERNTIME_LIB_NVML", nvml_names, &library) != KT_OK ||
        kt_dl_load(library, names, &nvml) != KT_OK ||
        KT_CALL(&nvml, nvmlInitWithFlags, NVML_FAULT, 0) != 0)
        return;
    if (KT_CALL(&nvml, nvmlSystemGetDriverVersion, NVML_FAULT, version, (unsigned)bytes) != 0)
        version[0] = '\0';
    version[bytes - 1] = '\0';
    nvml.nvmlShutdown();
}
