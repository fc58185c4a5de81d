// SPDX-License-Identifier: MIT
// webgpu_layout.js - byte offsets of the structures of src/backends/webgpu/webgpu.h on wasm32.
//
// web/module/webgpu_layout.c asserts the same numbers when the module is compiled.

/** Offsets by structure and member; `sizeof` is the size of the structure. */
export const LAYOUT = {
    WGPUStringView: { data: 0, length: 4, sizeof: 8 },
    WGPUChainedStruct: { next: 0, sType: 4 },
    WGPUFutureWaitInfo: { future: 0, completed: 8, sizeof: 16 },
    WGPURequestAdapterOptions: { powerPreference: 8, forceFallbackAdapter: 12 },
    WGPURequestAdapterCallbackInfo: { callback: 8, userdata1: 12, userdata2: 16 },
    WGPUUncapturedErrorCallbackInfo: { callback: 4, userdata1: 8, userdata2: 12 },
    WGPUAdapterInfo: {
        vendor: 4, architecture: 12, device: 20, description: 28, backendType: 36,
        adapterType: 40, vendorID: 44, deviceID: 48, subgroupMinSize: 52, subgroupMaxSize: 56,
    },
    WGPUDeviceDescriptor: {
        requiredFeatureCount: 12, requiredFeatures: 16, requiredLimits: 20,
        deviceLostCallbackInfo: 36, uncapturedErrorCallbackInfo: 56,
    },
    WGPUBufferDescriptor: { label: 4, usage: 16, size: 24, mappedAtCreation: 32 },
    WGPUShaderModuleDescriptor: { nextInChain: 0, label: 4 },
    WGPUShaderSourceWGSL: { code: 8 },
    WGPUConstantEntry: { key: 4, value: 16, sizeof: 24 },
    WGPUComputePipelineDescriptor: {
        label: 4, layout: 12, "compute.module": 20, "compute.entryPoint": 24,
        "compute.constantCount": 32, "compute.constants": 36,
    },
    WGPUBindGroupEntry: { binding: 4, buffer: 8, offset: 16, size: 24, sizeof: 40 },
    WGPUBindGroupDescriptor: { label: 4, layout: 12, entryCount: 16, entries: 20 },
    WGPUQuerySetDescriptor: { label: 4, type: 12, count: 16 },
    WGPUPassTimestampWrites: {
        querySet: 4, beginningOfPassWriteIndex: 8, endOfPassWriteIndex: 12, sizeof: 16,
    },
    WGPUComputePassDescriptor: { label: 4, timestampWrites: 12 },
    WGPULimits: {
        maxTextureDimension1D: 4, maxTextureDimension2D: 8, maxTextureDimension3D: 12,
        maxTextureArrayLayers: 16, maxBindGroups: 20, maxBindGroupsPlusVertexBuffers: 24,
        maxBindingsPerBindGroup: 28, maxDynamicUniformBuffersPerPipelineLayout: 32,
        maxDynamicStorageBuffersPerPipelineLayout: 36, maxSampledTexturesPerShaderStage: 40,
        maxSamplersPerShaderStage: 44, maxStorageBuffersPerShaderStage: 48,
        maxStorageTexturesPerShaderStage: 52, maxUniformBuffersPerShaderStage: 56,
        maxUniformBufferBindingSize: 64, maxStorageBufferBindingSize: 72,
        minUniformBufferOffsetAlignment: 80, minStorageBufferOffsetAlignment: 84,
        maxVertexBuffers: 88, maxBufferSize: 96, maxVertexAttributes: 104,
        maxVertexBufferArrayStride: 108, maxInterStageShaderVariables: 112,
        maxColorAttachments: 116, maxColorAttachmentBytesPerSample: 120,
        maxComputeWorkgroupStorageSize: 124, maxComputeInvocationsPerWorkgroup: 128,
        maxComputeWorkgroupSizeX: 132, maxComputeWorkgroupSizeY: 136,
        maxComputeWorkgroupSizeZ: 140, maxComputeWorkgroupsPerDimension: 144,
    },
};

/** The limits that are 64 bits wide; others are 32. */
export const WIDE_LIMITS = new Set([
    "maxUniformBufferBindingSize", "maxStorageBufferBindingSize", "maxBufferSize",
]);
