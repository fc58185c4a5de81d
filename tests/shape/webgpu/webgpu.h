/* SPDX-License-Identifier: MIT */
/* webgpu.h - in place of the one that comes with a library: what the example needs of it, in
 * kerntime's own declarations. EARLY_WEBGPU: as the library of spring 2025 numbers features. */
#ifndef WEBGPU_H_
#define WEBGPU_H_

#include "src/backends/webgpu/webgpu.h"

#ifdef EARLY_WEBGPU
#undef WGPUFeatureName_TimestampQuery
#define WGPUFeatureName_TimestampQuery WGPU_EARLY_FEATURE_TIMESTAMP_QUERY
#endif

typedef WGPUFlags WGPUBufferUsage;

#define DECLARE(result, name, parameters) result name parameters;
WGPU_FUNCTIONS_OF_INSTANCES(DECLARE)
WGPU_FUNCTIONS_OF_FUTURES(DECLARE)
WGPU_FUNCTIONS_OF_TIMESTAMPS(DECLARE)
WGPU_FUNCTIONS_OF_WORK(DECLARE)
#undef DECLARE
WGPUProc wgpuGetProcAddress(WGPUStringView name);

#endif
