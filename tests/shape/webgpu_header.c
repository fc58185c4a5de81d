/* SPDX-License-Identifier: MIT */
/*
 * Our own declarations of WebGPU's C ABI beside the official ones of <webgpu/webgpu.h>, where that
 * is installed. Both cannot be in one file, so each is asked for the same numbers: compiled with
 * OFFICIAL and without, the lists must be alike.
 */
#ifdef OFFICIAL
#include <webgpu/webgpu.h>
#else
#include "backends/webgpu/webgpu.h"
#endif

#include <stddef.h>
#include <stdio.h>

#define SIZE(type)          printf("%s %zu\n", #type, sizeof(type));
#define PLACE(type, member) printf("%s.%s %zu\n", #type, #member, offsetof(type, member));
#define VALUE(name)         printf("%s %llu\n", #name, (unsigned long long)(name));

static void structures(void)
{
    SIZE(WGPUStringView)
    SIZE(WGPUFuture)
    SIZE(WGPUFutureWaitInfo)
    PLACE(WGPUFutureWaitInfo, completed)
    SIZE(WGPUInstanceDescriptor)
    PLACE(WGPUInstanceDescriptor, requiredFeatures)
    SIZE(WGPURequestAdapterOptions)
    PLACE(WGPURequestAdapterOptions, powerPreference)
    PLACE(WGPURequestAdapterOptions, forceFallbackAdapter)
    PLACE(WGPURequestAdapterOptions, backendType)
    SIZE(WGPURequestAdapterCallbackInfo)
    SIZE(WGPUAdapterInfo)
    PLACE(WGPUAdapterInfo, backendType)
    PLACE(WGPUAdapterInfo, deviceID)
    PLACE(WGPULimits, maxStorageBuffersPerShaderStage)
    PLACE(WGPULimits, maxUniformBufferBindingSize)
    PLACE(WGPULimits, maxStorageBufferBindingSize)
    PLACE(WGPULimits, maxBufferSize)
    PLACE(WGPULimits, maxComputeWorkgroupStorageSize)
    PLACE(WGPULimits, maxComputeWorkgroupsPerDimension)
    SIZE(WGPUDeviceDescriptor)
    PLACE(WGPUDeviceDescriptor, requiredFeatures)
    PLACE(WGPUDeviceDescriptor, requiredLimits)
    PLACE(WGPUDeviceDescriptor, deviceLostCallbackInfo)
    PLACE(WGPUDeviceDescriptor, uncapturedErrorCallbackInfo)
    SIZE(WGPUPopErrorScopeCallbackInfo)
    SIZE(WGPUBufferDescriptor)
    PLACE(WGPUBufferDescriptor, usage)
    PLACE(WGPUBufferDescriptor, size)
    SIZE(WGPUBufferMapCallbackInfo)
    SIZE(WGPUShaderSourceWGSL)
    SIZE(WGPUConstantEntry)
    PLACE(WGPUConstantEntry, value)
    SIZE(WGPUComputePipelineDescriptor)
    PLACE(WGPUComputePipelineDescriptor, compute)
    SIZE(WGPUBindGroupEntry)
    PLACE(WGPUBindGroupEntry, buffer)
    PLACE(WGPUBindGroupEntry, size)
    SIZE(WGPUBindGroupDescriptor)
    SIZE(WGPUQuerySetDescriptor)
    PLACE(WGPUQuerySetDescriptor, type)
    SIZE(WGPUComputePassDescriptor)
    PLACE(WGPUComputePassDescriptor, timestampWrites)
    SIZE(WGPUCommandEncoderDescriptor)
    SIZE(WGPUCommandBufferDescriptor)
    SIZE(WGPUQueueWorkDoneCallbackInfo)
}

static void timestamp_writes(void)
{
    SIZE(WGPUPassTimestampWrites)
    PLACE(WGPUPassTimestampWrites, querySet)
    PLACE(WGPUPassTimestampWrites, beginningOfPassWriteIndex)
    PLACE(WGPUPassTimestampWrites, endOfPassWriteIndex)
}

static void values(void)
{
    VALUE(WGPU_STRLEN)
    VALUE(WGPU_WHOLE_SIZE)
    VALUE(WGPU_QUERY_SET_INDEX_UNDEFINED)
    VALUE(WGPUSType_ShaderSourceWGSL)
    VALUE(WGPUWaitStatus_Success)
    VALUE(WGPUWaitStatus_TimedOut)
    VALUE(WGPUWaitStatus_Error)
    VALUE(WGPUCallbackMode_WaitAnyOnly)
    VALUE(WGPUCallbackMode_AllowSpontaneous)
    VALUE(WGPUStatus_Success)
    VALUE(WGPUInstanceFeatureName_TimedWaitAny)
    VALUE(WGPUBackendType_Null)
    VALUE(WGPUBackendType_Vulkan)
    VALUE(WGPUBackendType_OpenGLES)
    VALUE(WGPUAdapterType_CPU)
    VALUE(WGPUFeatureLevel_Core)
    VALUE(WGPUPowerPreference_HighPerformance)
    VALUE(WGPURequestAdapterStatus_Success)
    VALUE(WGPURequestAdapterStatus_Error)
    VALUE(WGPUFeatureName_TimestampQuery)
    VALUE(WGPUErrorType_NoError)
    VALUE(WGPUErrorType_OutOfMemory)
    VALUE(WGPUErrorFilter_Validation)
    VALUE(WGPUErrorFilter_Internal)
    VALUE(WGPURequestDeviceStatus_Success)
    VALUE(WGPUDeviceLostReason_Destroyed)
    VALUE(WGPUDeviceLostReason_FailedCreation)
    VALUE(WGPUPopErrorScopeStatus_Success)
    VALUE(WGPUBufferUsage_MapRead)
    VALUE(WGPUBufferUsage_CopySrc)
    VALUE(WGPUBufferUsage_CopyDst)
    VALUE(WGPUBufferUsage_Uniform)
    VALUE(WGPUBufferUsage_Storage)
    VALUE(WGPUBufferUsage_QueryResolve)
    VALUE(WGPUMapMode_Read)
    VALUE(WGPUMapAsyncStatus_Success)
    VALUE(WGPUQueryType_Timestamp)
}

int main(void)
{
    structures();
    timestamp_writes();
    values();
    return 0;
}
