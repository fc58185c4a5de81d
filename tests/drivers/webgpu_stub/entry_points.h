/* SPDX-License-Identifier: MIT */
/* The functions of the stub, once: their numbers, their names and prototypes. */
#ifndef WEBGPU_STUB_ENTRY_POINTS_H
#define WEBGPU_STUB_ENTRY_POINTS_H

#include "src/backends/webgpu/webgpu.h"

#define INSTANCE_ENTRIES(X)       \
    X(wgpuCreateInstance)         \
    X(wgpuGetProcAddress)         \
    X(wgpuInstanceRelease)        \
    X(wgpuInstanceProcessEvents)  \
    X(wgpuInstanceWaitAny)        \
    X(wgpuInstanceRequestAdapter) \
    X(wgpuAdapterGetInfo)         \
    X(wgpuAdapterInfoFreeMembers) \
    X(wgpuAdapterGetLimits)       \
    X(wgpuAdapterHasFeature)      \
    X(wgpuAdapterRequestDevice)   \
    X(wgpuAdapterRelease)

#define DEVICE_ENTRIES(X)              \
    X(wgpuDeviceGetQueue)              \
    X(wgpuDeviceHasFeature)            \
    X(wgpuDevicePushErrorScope)        \
    X(wgpuDevicePopErrorScope)         \
    X(wgpuDeviceCreateBuffer)          \
    X(wgpuDeviceCreateQuerySet)        \
    X(wgpuDeviceCreateShaderModule)    \
    X(wgpuDeviceCreateComputePipeline) \
    X(wgpuDeviceCreateBindGroup)       \
    X(wgpuDeviceCreateCommandEncoder)  \
    X(wgpuDeviceDestroy)               \
    X(wgpuDeviceRelease)               \
    X(wgpuQueueSubmit)                 \
    X(wgpuQueueOnSubmittedWorkDone)    \
    X(wgpuQueueWriteBuffer)            \
    X(wgpuQueueRelease)

#define OBJECT_ENTRIES(X)                    \
    X(wgpuBufferMapAsync)                    \
    X(wgpuBufferGetMappedRange)              \
    X(wgpuBufferGetConstMappedRange)         \
    X(wgpuBufferUnmap)                       \
    X(wgpuBufferRelease)                     \
    X(wgpuQuerySetRelease)                   \
    X(wgpuShaderModuleRelease)               \
    X(wgpuComputePipelineGetBindGroupLayout) \
    X(wgpuComputePipelineRelease)            \
    X(wgpuBindGroupLayoutRelease)            \
    X(wgpuBindGroupRelease)

#define COMMAND_ENTRIES(X)                      \
    X(wgpuCommandEncoderBeginComputePass)       \
    X(wgpuCommandEncoderCopyBufferToBuffer)     \
    X(wgpuCommandEncoderResolveQuerySet)        \
    X(wgpuCommandEncoderFinish)                 \
    X(wgpuCommandEncoderAddRef)                 \
    X(wgpuCommandEncoderRelease)                \
    X(wgpuComputePassEncoderSetPipeline)        \
    X(wgpuComputePassEncoderSetBindGroup)       \
    X(wgpuComputePassEncoderDispatchWorkgroups) \
    X(wgpuComputePassEncoderEnd)                \
    X(wgpuComputePassEncoderRelease)            \
    X(wgpuCommandBufferRelease)

#define ALL_ENTRIES(X)  \
    INSTANCE_ENTRIES(X) \
    DEVICE_ENTRIES(X)   \
    OBJECT_ENTRIES(X)   \
    COMMAND_ENTRIES(X)

enum entry {
#define ENTRY_ID(name) ENTRY_##name,
    ALL_ENTRIES(ENTRY_ID)
#undef ENTRY_ID
        ENTRY_COUNT
};

#define EXPORT __attribute__((visibility("default")))

/* That of everything declared in webgpu.h. */
#define ENTRY_PROTOTYPE(result, name, parameters) EXPORT result name parameters;
#define DECLARED_ENTRIES(X)         \
    WGPU_FUNCTIONS_OF_INSTANCES(X)  \
    WGPU_FUNCTIONS_OF_FUTURES(X)    \
    WGPU_FUNCTIONS_OF_TIMESTAMPS(X) \
    WGPU_FUNCTIONS_OF_WORK(X)       \
    WGPU_FUNCTIONS_OF_TIMERS(X)
DECLARED_ENTRIES(ENTRY_PROTOTYPE)

EXPORT WGPUProc wgpuGetProcAddress(WGPUStringView name);
EXPORT void wgpuInstanceProcessEvents(WGPUInstance instance);
/* By these a program tells which ABI it is. */
EXPORT WGPUStatus wgpuGetInstanceCapabilities(void *capabilities);
EXPORT WGPUBool wgpuHasInstanceFeature(WGPUInstanceFeatureName feature);
/* Only of wgpu-native. */
EXPORT uint32_t wgpuGetVersion(void);
EXPORT WGPUBool wgpuDevicePoll(WGPUDevice device, WGPUBool wait, const uint64_t *submission);

/* Not of WebGPU: what a test does to the device. Never counted. */

/* Executes up to `submissions` of those that wait (commands=held); how many are left. Any
 * thread. */
EXPORT uint64_t wgpuStubExecute(WGPUQueue queue, uint64_t submissions);
/* The simulated clock moves on. Any thread. */
EXPORT void wgpuStubAdvance(uint64_t ns);

#endif
