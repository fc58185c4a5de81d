/* SPDX-License-Identifier: MIT */
/*
 * webgpu.h - declarations of WebGPU's C ABI, because no package reliably provides the official
 * header. Names and layouts are those of webgpu.h since April 2025 (strings as WGPUStringView,
 * answers as WGPUFuture). Libraries with that ABI differ in two places, and this file has both
 * forms:
 *
 *  - WGPUInstanceDescriptor: a library with wgpuGetInstanceCapabilities takes the early form,
 *    others the current one.
 *  - The number of the feature "timestamp-query": 3 until June 2025, 9 since. An early library
 *    uses 3.
 *
 * During that time the callback of wgpuQueueOnSubmittedWorkDone got a message between its status
 * and its user data, so it may read only the status.
 */
#ifndef KT_WEBGPU_WEBGPU_H
#define KT_WEBGPU_WEBGPU_H

#include <stddef.h>
#include <stdint.h>

typedef struct WGPUInstanceImpl *WGPUInstance;
typedef struct WGPUAdapterImpl *WGPUAdapter;
typedef struct WGPUDeviceImpl *WGPUDevice;
typedef struct WGPUQueueImpl *WGPUQueue;
typedef struct WGPUBufferImpl *WGPUBuffer;
typedef struct WGPUShaderModuleImpl *WGPUShaderModule;
typedef struct WGPUComputePipelineImpl *WGPUComputePipeline;
typedef struct WGPUPipelineLayoutImpl *WGPUPipelineLayout;
typedef struct WGPUBindGroupImpl *WGPUBindGroup;
typedef struct WGPUBindGroupLayoutImpl *WGPUBindGroupLayout;
typedef struct WGPUQuerySetImpl *WGPUQuerySet;
typedef struct WGPUCommandEncoderImpl *WGPUCommandEncoder;
typedef struct WGPUComputePassEncoderImpl *WGPUComputePassEncoder;
typedef struct WGPUCommandBufferImpl *WGPUCommandBuffer;

typedef uint32_t WGPUBool;
typedef uint64_t WGPUFlags;
typedef void (*WGPUProc)(void);

#define WGPU_STRLEN                    SIZE_MAX
#define WGPU_WHOLE_SIZE                UINT64_MAX
#define WGPU_QUERY_SET_INDEX_UNDEFINED UINT32_MAX

typedef struct WGPUStringView {
    const char *data;
    size_t length; /* in bytes; WGPU_STRLEN: the text is zero-terminated */
} WGPUStringView;

/* ---- chained structures ---- */

typedef enum WGPUSType {
    WGPUSType_ShaderSourceWGSL = 2,
    WGPUSType_DawnTogglesDescriptor = 0x5000A /* only Dawn has this structure */
} WGPUSType;

typedef struct WGPUChainedStruct {
    struct WGPUChainedStruct *next;
    WGPUSType sType;
} WGPUChainedStruct;

typedef struct WGPUDawnTogglesDescriptor {
    WGPUChainedStruct chain;
    size_t enabledToggleCount;
    const char *const *enabledToggles;
    size_t disabledToggleCount;
    const char *const *disabledToggles;
} WGPUDawnTogglesDescriptor;

/* ---- futures ---- */

typedef struct WGPUFuture {
    uint64_t id;
} WGPUFuture;

typedef struct WGPUFutureWaitInfo {
    WGPUFuture future;
    WGPUBool completed;
} WGPUFutureWaitInfo;

typedef enum WGPUWaitStatus {
    WGPUWaitStatus_Success = 1,
    WGPUWaitStatus_TimedOut = 2,
    WGPUWaitStatus_Error = 3
} WGPUWaitStatus;

typedef enum WGPUCallbackMode {
    WGPUCallbackMode_WaitAnyOnly = 1,
    WGPUCallbackMode_AllowProcessEvents = 2,
    WGPUCallbackMode_AllowSpontaneous = 3
} WGPUCallbackMode;

typedef enum WGPUStatus { WGPUStatus_Success = 1, WGPUStatus_Error = 2 } WGPUStatus;

/* ---- instances ---- */

typedef struct WGPUEarlyInstanceDescriptor {
    WGPUChainedStruct *nextInChain;
    struct {
        WGPUChainedStruct *nextInChain;
        WGPUBool timedWaitAnyEnable;
        size_t timedWaitAnyMaxCount;
    } capabilities;
} WGPUEarlyInstanceDescriptor;

typedef enum WGPUInstanceFeatureName {
    WGPUInstanceFeatureName_TimedWaitAny = 1
} WGPUInstanceFeatureName;

typedef struct WGPUInstanceDescriptor {
    WGPUChainedStruct *nextInChain;
    size_t requiredFeatureCount;
    const WGPUInstanceFeatureName *requiredFeatures;
    const void *requiredLimits;
} WGPUInstanceDescriptor;

/* ---- adapters ---- */

typedef enum WGPUBackendType {
    WGPUBackendType_Undefined,
    WGPUBackendType_Null,
    WGPUBackendType_WebGPU,
    WGPUBackendType_D3D11,
    WGPUBackendType_D3D12,
    WGPUBackendType_Metal,
    WGPUBackendType_Vulkan,
    WGPUBackendType_OpenGL,
    WGPUBackendType_OpenGLES
} WGPUBackendType;

typedef enum WGPUAdapterType {
    WGPUAdapterType_DiscreteGPU = 1,
    WGPUAdapterType_IntegratedGPU = 2,
    WGPUAdapterType_CPU = 3,
    WGPUAdapterType_Unknown = 4
} WGPUAdapterType;

typedef enum WGPUFeatureLevel {
    WGPUFeatureLevel_Undefined,
    WGPUFeatureLevel_Compatibility,
    WGPUFeatureLevel_Core
} WGPUFeatureLevel;

typedef enum WGPUPowerPreference {
    WGPUPowerPreference_Undefined,
    WGPUPowerPreference_LowPower,
    WGPUPowerPreference_HighPerformance
} WGPUPowerPreference;

typedef struct WGPURequestAdapterOptions {
    WGPUChainedStruct *nextInChain;
    WGPUFeatureLevel featureLevel;
    WGPUPowerPreference powerPreference;
    WGPUBool forceFallbackAdapter;
    WGPUBackendType backendType;
    void *compatibleSurface;
} WGPURequestAdapterOptions;

typedef enum WGPURequestAdapterStatus {
    WGPURequestAdapterStatus_Success = 1,
    WGPURequestAdapterStatus_CallbackCancelled = 2,
    WGPURequestAdapterStatus_Unavailable = 3,
    WGPURequestAdapterStatus_Error = 4
} WGPURequestAdapterStatus;

typedef void (*WGPURequestAdapterCallback)(WGPURequestAdapterStatus status, WGPUAdapter adapter,
                                           WGPUStringView message, void *userdata1,
                                           void *userdata2);

typedef struct WGPURequestAdapterCallbackInfo {
    WGPUChainedStruct *nextInChain;
    WGPUCallbackMode mode;
    WGPURequestAdapterCallback callback;
    void *userdata1, *userdata2;
} WGPURequestAdapterCallbackInfo;

typedef struct WGPUAdapterInfo {
    WGPUChainedStruct *nextInChain;
    WGPUStringView vendor, architecture, device, description;
    WGPUBackendType backendType;
    WGPUAdapterType adapterType;
    uint32_t vendorID, deviceID;
    uint32_t subgroupMinSize, subgroupMaxSize;
} WGPUAdapterInfo;

/* Members added since 2025 are only passed through, from the adapter's answer to the device
 * request. */
typedef struct WGPULimits {
    WGPUChainedStruct *nextInChain;
    uint32_t maxTextureDimension1D, maxTextureDimension2D, maxTextureDimension3D;
    uint32_t maxTextureArrayLayers;
    uint32_t maxBindGroups, maxBindGroupsPlusVertexBuffers, maxBindingsPerBindGroup;
    uint32_t maxDynamicUniformBuffersPerPipelineLayout, maxDynamicStorageBuffersPerPipelineLayout;
    uint32_t maxSampledTexturesPerShaderStage, maxSamplersPerShaderStage;
    uint32_t maxStorageBuffersPerShaderStage, maxStorageTexturesPerShaderStage;
    uint32_t maxUniformBuffersPerShaderStage;
    uint64_t maxUniformBufferBindingSize, maxStorageBufferBindingSize;
    uint32_t minUniformBufferOffsetAlignment, minStorageBufferOffsetAlignment;
    uint32_t maxVertexBuffers;
    uint64_t maxBufferSize;
    uint32_t maxVertexAttributes, maxVertexBufferArrayStride;
    uint32_t maxInterStageShaderVariables;
    uint32_t maxColorAttachments, maxColorAttachmentBytesPerSample;
    uint32_t maxComputeWorkgroupStorageSize, maxComputeInvocationsPerWorkgroup;
    uint32_t maxComputeWorkgroupSizeX, maxComputeWorkgroupSizeY, maxComputeWorkgroupSizeZ;
    uint32_t maxComputeWorkgroupsPerDimension;
    uint32_t later[16];
} WGPULimits;

/* ---- devices ---- */

typedef uint32_t WGPUFeatureName;
#define WGPU_EARLY_FEATURE_TIMESTAMP_QUERY UINT32_C(3)
/* A feature that only Dawn has. */
#define WGPUFeatureName_ImplicitDeviceSynchronization UINT32_C(0x50004)
#define WGPUFeatureName_TimestampQuery                UINT32_C(9)

typedef enum WGPUErrorType {
    WGPUErrorType_NoError = 1,
    WGPUErrorType_Validation = 2,
    WGPUErrorType_OutOfMemory = 3,
    WGPUErrorType_Internal = 4,
    WGPUErrorType_Unknown = 5
} WGPUErrorType;

typedef enum WGPUErrorFilter {
    WGPUErrorFilter_Validation = 1,
    WGPUErrorFilter_OutOfMemory = 2,
    WGPUErrorFilter_Internal = 3
} WGPUErrorFilter;

typedef enum WGPURequestDeviceStatus {
    WGPURequestDeviceStatus_Success = 1,
    WGPURequestDeviceStatus_CallbackCancelled = 2,
    WGPURequestDeviceStatus_Error = 3
} WGPURequestDeviceStatus;

typedef void (*WGPURequestDeviceCallback)(WGPURequestDeviceStatus status, WGPUDevice device,
                                          WGPUStringView message, void *userdata1, void *userdata2);

typedef struct WGPURequestDeviceCallbackInfo {
    WGPUChainedStruct *nextInChain;
    WGPUCallbackMode mode;
    WGPURequestDeviceCallback callback;
    void *userdata1, *userdata2;
} WGPURequestDeviceCallbackInfo;

typedef enum WGPUDeviceLostReason {
    WGPUDeviceLostReason_Unknown = 1,
    WGPUDeviceLostReason_Destroyed = 2,
    WGPUDeviceLostReason_CallbackCancelled = 3,
    WGPUDeviceLostReason_FailedCreation = 4
} WGPUDeviceLostReason;

typedef void (*WGPUDeviceLostCallback)(const WGPUDevice *device, WGPUDeviceLostReason reason,
                                       WGPUStringView message, void *userdata1, void *userdata2);

typedef struct WGPUDeviceLostCallbackInfo {
    WGPUChainedStruct *nextInChain;
    WGPUCallbackMode mode;
    WGPUDeviceLostCallback callback;
    void *userdata1, *userdata2;
} WGPUDeviceLostCallbackInfo;

typedef void (*WGPUUncapturedErrorCallback)(const WGPUDevice *device, WGPUErrorType type,
                                            WGPUStringView message, void *userdata1,
                                            void *userdata2);

typedef struct WGPUUncapturedErrorCallbackInfo {
    WGPUChainedStruct *nextInChain;
    WGPUUncapturedErrorCallback callback;
    void *userdata1, *userdata2;
} WGPUUncapturedErrorCallbackInfo;

typedef struct WGPUQueueDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
} WGPUQueueDescriptor;

typedef struct WGPUDeviceDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    size_t requiredFeatureCount;
    const WGPUFeatureName *requiredFeatures;
    const WGPULimits *requiredLimits;
    WGPUQueueDescriptor defaultQueue;
    WGPUDeviceLostCallbackInfo deviceLostCallbackInfo;
    WGPUUncapturedErrorCallbackInfo uncapturedErrorCallbackInfo;
} WGPUDeviceDescriptor;

typedef enum WGPUPopErrorScopeStatus {
    WGPUPopErrorScopeStatus_Success = 1,
    WGPUPopErrorScopeStatus_CallbackCancelled = 2,
    WGPUPopErrorScopeStatus_Error = 3
} WGPUPopErrorScopeStatus;

typedef void (*WGPUPopErrorScopeCallback)(WGPUPopErrorScopeStatus status, WGPUErrorType type,
                                          WGPUStringView message, void *userdata1, void *userdata2);

typedef struct WGPUPopErrorScopeCallbackInfo {
    WGPUChainedStruct *nextInChain;
    WGPUCallbackMode mode;
    WGPUPopErrorScopeCallback callback;
    void *userdata1, *userdata2;
} WGPUPopErrorScopeCallbackInfo;

/* ---- buffers ---- */

#define WGPUBufferUsage_MapRead      UINT64_C(0x001)
#define WGPUBufferUsage_MapWrite     UINT64_C(0x002)
#define WGPUBufferUsage_CopySrc      UINT64_C(0x004)
#define WGPUBufferUsage_CopyDst      UINT64_C(0x008)
#define WGPUBufferUsage_Uniform      UINT64_C(0x040)
#define WGPUBufferUsage_Storage      UINT64_C(0x080)
#define WGPUBufferUsage_QueryResolve UINT64_C(0x200)

typedef struct WGPUBufferDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    WGPUFlags usage;
    uint64_t size;
    WGPUBool mappedAtCreation;
} WGPUBufferDescriptor;

#define WGPUMapMode_Read  UINT64_C(1)
#define WGPUMapMode_Write UINT64_C(2)

typedef enum WGPUMapAsyncStatus {
    WGPUMapAsyncStatus_Success = 1,
    WGPUMapAsyncStatus_CallbackCancelled = 2,
    WGPUMapAsyncStatus_Error = 3,
    WGPUMapAsyncStatus_Aborted = 4
} WGPUMapAsyncStatus;

typedef void (*WGPUBufferMapCallback)(WGPUMapAsyncStatus status, WGPUStringView message,
                                      void *userdata1, void *userdata2);

typedef struct WGPUBufferMapCallbackInfo {
    WGPUChainedStruct *nextInChain;
    WGPUCallbackMode mode;
    WGPUBufferMapCallback callback;
    void *userdata1, *userdata2;
} WGPUBufferMapCallbackInfo;

/* ---- pipelines ---- */

typedef struct WGPUShaderSourceWGSL {
    WGPUChainedStruct chain;
    WGPUStringView code;
} WGPUShaderSourceWGSL;

typedef struct WGPUShaderModuleDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
} WGPUShaderModuleDescriptor;

typedef struct WGPUConstantEntry {
    WGPUChainedStruct *nextInChain;
    WGPUStringView key;
    double value;
} WGPUConstantEntry;

typedef struct WGPUComputePipelineDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    WGPUPipelineLayout layout; /* NULL: the library derives the layout from the shader */
    struct {
        WGPUChainedStruct *nextInChain;
        WGPUShaderModule module;
        WGPUStringView entryPoint;
        size_t constantCount;
        const WGPUConstantEntry *constants;
    } compute;
} WGPUComputePipelineDescriptor;

typedef struct WGPUBindGroupEntry {
    WGPUChainedStruct *nextInChain;
    uint32_t binding;
    WGPUBuffer buffer;
    uint64_t offset, size;
    void *sampler, *textureView;
} WGPUBindGroupEntry;

typedef struct WGPUBindGroupDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    WGPUBindGroupLayout layout;
    size_t entryCount;
    const WGPUBindGroupEntry *entries;
} WGPUBindGroupDescriptor;

/* ---- commands ---- */

typedef enum WGPUQueryType { WGPUQueryType_Timestamp = 2 } WGPUQueryType;

typedef struct WGPUQuerySetDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    WGPUQueryType type;
    uint32_t count;
} WGPUQuerySetDescriptor;

typedef struct WGPUPassTimestampWrites {
    WGPUChainedStruct *nextInChain;
    WGPUQuerySet querySet;
    uint32_t beginningOfPassWriteIndex, endOfPassWriteIndex;
} WGPUPassTimestampWrites;

typedef struct WGPUComputePassDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    const WGPUPassTimestampWrites *timestampWrites;
} WGPUComputePassDescriptor;

typedef struct WGPUCommandEncoderDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
} WGPUCommandEncoderDescriptor;

typedef struct WGPUCommandBufferDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
} WGPUCommandBufferDescriptor;

/* `status` is 1 for success in all libraries. The other arguments differ between libraries (see the
 * head). */
typedef void (*WGPUQueueWorkDoneCallback)(uint32_t status, void *unknown1, void *unknown2);

typedef struct WGPUQueueWorkDoneCallbackInfo {
    WGPUChainedStruct *nextInChain;
    WGPUCallbackMode mode;
    WGPUQueueWorkDoneCallback callback;
    void *userdata1, *userdata2;
} WGPUQueueWorkDoneCallbackInfo;

/* ---- functions: X(result, name, parameters) ---- */

#define WGPU_FUNCTIONS_OF_INSTANCES(X)                                                        \
    X(WGPUInstance, wgpuCreateInstance, (const void *descriptor)) /* early or current form */ \
    X(void, wgpuInstanceRelease, (WGPUInstance instance))                                     \
    X(WGPUFuture, wgpuInstanceRequestAdapter,                                                 \
      (WGPUInstance instance, const WGPURequestAdapterOptions *options,                       \
       WGPURequestAdapterCallbackInfo callbackInfo))                                          \
    X(WGPUStatus, wgpuAdapterGetInfo, (WGPUAdapter adapter, WGPUAdapterInfo * info))          \
    X(void, wgpuAdapterInfoFreeMembers, (WGPUAdapterInfo info))                               \
    X(WGPUStatus, wgpuAdapterGetLimits, (WGPUAdapter adapter, WGPULimits * limits))           \
    X(WGPUBool, wgpuAdapterHasFeature, (WGPUAdapter adapter, WGPUFeatureName feature))        \
    X(WGPUFuture, wgpuAdapterRequestDevice,                                                   \
      (WGPUAdapter adapter, const WGPUDeviceDescriptor *descriptor,                           \
       WGPURequestDeviceCallbackInfo callbackInfo))                                           \
    X(void, wgpuAdapterRelease, (WGPUAdapter adapter))                                        \
    X(WGPUQueue, wgpuDeviceGetQueue, (WGPUDevice device))                                     \
    X(void, wgpuDeviceDestroy, (WGPUDevice device))                                           \
    X(void, wgpuDeviceRelease, (WGPUDevice device))                                           \
    X(void, wgpuQueueRelease, (WGPUQueue queue))

/* Functions for asynchronous answers. */
#define WGPU_FUNCTIONS_OF_FUTURES(X)                                            \
    X(WGPUWaitStatus, wgpuInstanceWaitAny,                                      \
      (WGPUInstance instance, size_t futureCount, WGPUFutureWaitInfo * futures, \
       uint64_t timeoutNS))                                                     \
    X(WGPUFuture, wgpuBufferMapAsync,                                           \
      (WGPUBuffer buffer, WGPUFlags mode, size_t offset, size_t size,           \
       WGPUBufferMapCallbackInfo callbackInfo))                                 \
    X(const void *, wgpuBufferGetConstMappedRange,                              \
      (WGPUBuffer buffer, size_t offset, size_t size))                          \
    X(void, wgpuBufferUnmap, (WGPUBuffer buffer))

/* Functions for timestamps of passes and timers. */
#define WGPU_FUNCTIONS_OF_TIMESTAMPS(X)                                            \
    X(WGPUBuffer, wgpuDeviceCreateBuffer,                                          \
      (WGPUDevice device, const WGPUBufferDescriptor *descriptor))                 \
    X(void, wgpuBufferRelease, (WGPUBuffer buffer))                                \
    X(WGPUQuerySet, wgpuDeviceCreateQuerySet,                                      \
      (WGPUDevice device, const WGPUQuerySetDescriptor *descriptor))               \
    X(void, wgpuQuerySetRelease, (WGPUQuerySet querySet))                          \
    X(void, wgpuCommandEncoderResolveQuerySet,                                     \
      (WGPUCommandEncoder encoder, WGPUQuerySet querySet, uint32_t firstQuery,     \
       uint32_t queryCount, WGPUBuffer destination, uint64_t destinationOffset))   \
    X(void, wgpuCommandEncoderCopyBufferToBuffer,                                  \
      (WGPUCommandEncoder encoder, WGPUBuffer source, uint64_t sourceOffset,       \
       WGPUBuffer destination, uint64_t destinationOffset, uint64_t size))         \
    X(void, wgpuDevicePushErrorScope, (WGPUDevice device, WGPUErrorFilter filter)) \
    X(WGPUFuture, wgpuDevicePopErrorScope,                                         \
      (WGPUDevice device, WGPUPopErrorScopeCallbackInfo callbackInfo))

/* Functions that run kernels and copies. */
#define WGPU_FUNCTIONS_OF_WORK(X)                                                            \
    X(void *, wgpuBufferGetMappedRange, (WGPUBuffer buffer, size_t offset, size_t size))     \
    X(WGPUShaderModule, wgpuDeviceCreateShaderModule,                                        \
      (WGPUDevice device, const WGPUShaderModuleDescriptor *descriptor))                     \
    X(void, wgpuShaderModuleRelease, (WGPUShaderModule shaderModule))                        \
    X(WGPUComputePipeline, wgpuDeviceCreateComputePipeline,                                  \
      (WGPUDevice device, const WGPUComputePipelineDescriptor *descriptor))                  \
    X(WGPUBindGroupLayout, wgpuComputePipelineGetBindGroupLayout,                            \
      (WGPUComputePipeline pipeline, uint32_t groupIndex))                                   \
    X(void, wgpuComputePipelineRelease, (WGPUComputePipeline pipeline))                      \
    X(void, wgpuBindGroupLayoutRelease, (WGPUBindGroupLayout layout))                        \
    X(WGPUBindGroup, wgpuDeviceCreateBindGroup,                                              \
      (WGPUDevice device, const WGPUBindGroupDescriptor *descriptor))                        \
    X(void, wgpuBindGroupRelease, (WGPUBindGroup group))                                     \
    X(WGPUCommandEncoder, wgpuDeviceCreateCommandEncoder,                                    \
      (WGPUDevice device, const WGPUCommandEncoderDescriptor *descriptor))                   \
    X(WGPUComputePassEncoder, wgpuCommandEncoderBeginComputePass,                            \
      (WGPUCommandEncoder encoder, const WGPUComputePassDescriptor *descriptor))             \
    X(WGPUCommandBuffer, wgpuCommandEncoderFinish,                                           \
      (WGPUCommandEncoder encoder, const WGPUCommandBufferDescriptor *descriptor))           \
    X(void, wgpuCommandEncoderRelease, (WGPUCommandEncoder encoder))                         \
    X(void, wgpuComputePassEncoderSetPipeline,                                               \
      (WGPUComputePassEncoder pass, WGPUComputePipeline pipeline))                           \
    X(void, wgpuComputePassEncoderSetBindGroup,                                              \
      (WGPUComputePassEncoder pass, uint32_t groupIndex, WGPUBindGroup group,                \
       size_t dynamicOffsetCount, const uint32_t *dynamicOffsets))                           \
    X(void, wgpuComputePassEncoderDispatchWorkgroups,                                        \
      (WGPUComputePassEncoder pass, uint32_t x, uint32_t y, uint32_t z))                     \
    X(void, wgpuComputePassEncoderEnd, (WGPUComputePassEncoder pass))                        \
    X(void, wgpuComputePassEncoderRelease, (WGPUComputePassEncoder pass))                    \
    X(void, wgpuQueueSubmit,                                                                 \
      (WGPUQueue queue, size_t commandCount, const WGPUCommandBuffer *commands))             \
    X(WGPUFuture, wgpuQueueOnSubmittedWorkDone,                                              \
      (WGPUQueue queue, WGPUQueueWorkDoneCallbackInfo callbackInfo))                         \
    X(void, wgpuQueueWriteBuffer,                                                            \
      (WGPUQueue queue, WGPUBuffer buffer, uint64_t offset, const void *data, size_t bytes)) \
    X(void, wgpuCommandBufferRelease, (WGPUCommandBuffer commands))

/* Further functions that timers need. */
#define WGPU_FUNCTIONS_OF_TIMERS(X)                                  \
    X(void, wgpuCommandEncoderAddRef, (WGPUCommandEncoder encoder))  \
    X(void, wgpuCommandEncoderRelease, (WGPUCommandEncoder encoder)) \
    X(WGPUBool, wgpuDeviceHasFeature, (WGPUDevice device, WGPUFeatureName feature))

#endif
