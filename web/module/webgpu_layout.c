/* SPDX-License-Identifier: MIT */
/*
 * webgpu_layout.c - the offsets of web/webgpu_layout.js, by which JavaScript reads structures of
 * webgpu.h. Each line has a number of that file.
 */
#include "backends/webgpu/webgpu.h"

#define AT(structure, member, bytes) \
    _Static_assert(offsetof(structure, member) == (bytes), #structure "." #member)
#define SIZEOF(structure, bytes) _Static_assert(sizeof(structure) == (bytes), #structure)

AT(WGPUStringView, data, 0);
AT(WGPUStringView, length, 4);
SIZEOF(WGPUStringView, 8);
AT(WGPUChainedStruct, next, 0);
AT(WGPUChainedStruct, sType, 4);
AT(WGPUFutureWaitInfo, future, 0);
AT(WGPUFutureWaitInfo, completed, 8);
SIZEOF(WGPUFutureWaitInfo, 16);
AT(WGPURequestAdapterOptions, powerPreference, 8);
AT(WGPURequestAdapterOptions, forceFallbackAdapter, 12);
AT(WGPURequestAdapterCallbackInfo, callback, 8);
AT(WGPURequestAdapterCallbackInfo, userdata1, 12);
AT(WGPURequestAdapterCallbackInfo, userdata2, 16);
AT(WGPUUncapturedErrorCallbackInfo, callback, 4);
AT(WGPUUncapturedErrorCallbackInfo, userdata1, 8);
AT(WGPUUncapturedErrorCallbackInfo, userdata2, 12);
AT(WGPUAdapterInfo, vendor, 4);
AT(WGPUAdapterInfo, architecture, 12);
AT(WGPUAdapterInfo, device, 20);
AT(WGPUAdapterInfo, description, 28);
AT(WGPUAdapterInfo, backendType, 36);
AT(WGPUAdapterInfo, adapterType, 40);
AT(WGPUAdapterInfo, vendorID, 44);
AT(WGPUAdapterInfo, deviceID, 48);
AT(WGPUAdapterInfo, subgroupMinSize, 52);
AT(WGPUAdapterInfo, subgroupMaxSize, 56);
AT(WGPUDeviceDescriptor, requiredFeatureCount, 12);
AT(WGPUDeviceDescriptor, requiredFeatures, 16);
AT(WGPUDeviceDescriptor, requiredLimits, 20);
AT(WGPUDeviceDescriptor, deviceLostCallbackInfo, 36);
AT(WGPUDeviceDescriptor, uncapturedErrorCallbackInfo, 56);
AT(WGPUBufferDescriptor, label, 4);
AT(WGPUBufferDescriptor, usage, 16);
AT(WGPUBufferDescriptor, size, 24);
AT(WGPUBufferDescriptor, mappedAtCreation, 32);
AT(WGPUShaderModuleDescriptor, nextInChain, 0);
AT(WGPUShaderModuleDescriptor, label, 4);
AT(WGPUShaderSourceWGSL, code, 8);
AT(WGPUConstantEntry, key, 4);
AT(WGPUConstantEntry, value, 16);
SIZEOF(WGPUConstantEntry, 24);
AT(WGPUComputePipelineDescriptor, label, 4);
AT(WGPUComputePipelineDescriptor, layout, 12);
AT(WGPUComputePipelineDescriptor, compute.module, 20);
AT(WGPUComputePipelineDescriptor, compute.entryPoint, 24);
AT(WGPUComputePipelineDescriptor, compute.constantCount, 32);
AT(WGPUComputePipelineDescriptor, compute.constants, 36);
AT(WGPUBindGroupEntry, binding, 4);
AT(WGPUBindGroupEntry, buffer, 8);
AT(WGPUBindGroupEntry, offset, 16);
AT(WGPUBindGroupEntry, size, 24);
SIZEOF(WGPUBindGroupEntry, 40);
AT(WGPUBindGroupDescriptor, label, 4);
AT(WGPUBindGroupDescriptor, layout, 12);
AT(WGPUBindGroupDescriptor, entryCount, 16);
AT(WGPUBindGroupDescriptor, entries, 20);
AT(WGPUQuerySetDescriptor, label, 4);
AT(WGPUQuerySetDescriptor, type, 12);
AT(WGPUQuerySetDescriptor, count, 16);
AT(WGPUPassTimestampWrites, querySet, 4);
AT(WGPUPassTimestampWrites, beginningOfPassWriteIndex, 8);
AT(WGPUPassTimestampWrites, endOfPassWriteIndex, 12);
SIZEOF(WGPUPassTimestampWrites, 16);
AT(WGPUComputePassDescriptor, label, 4);
AT(WGPUComputePassDescriptor, timestampWrites, 12);
AT(WGPULimits, maxTextureDimension1D, 4);
AT(WGPULimits, maxTextureDimension2D, 8);
AT(WGPULimits, maxTextureDimension3D, 12);
AT(WGPULimits, maxTextureArrayLayers, 16);
AT(WGPULimits, maxBindGroups, 20);
AT(WGPULimits, maxBindGroupsPlusVertexBuffers, 24);
AT(WGPULimits, maxBindingsPerBindGroup, 28);
AT(WGPULimits, maxDynamicUniformBuffersPerPipelineLayout, 32);
AT(WGPULimits, maxDynamicStorageBuffersPerPipelineLayout, 36);
AT(WGPULimits, maxSampledTexturesPerShaderStage, 40);
AT(WGPULimits, maxSamplersPerShaderStage, 44);
AT(WGPULimits, maxStorageBuffersPerShaderStage, 48);
AT(WGPULimits, maxStorageTexturesPerShaderStage, 52);
AT(WGPULimits, maxUniformBuffersPerShaderStage, 56);
AT(WGPULimits, maxUniformBufferBindingSize, 64);
AT(WGPULimits, maxStorageBufferBindingSize, 72);
AT(WGPULimits, minUniformBufferOffsetAlignment, 80);
AT(WGPULimits, minStorageBufferOffsetAlignment, 84);
AT(WGPULimits, maxVertexBuffers, 88);
AT(WGPULimits, maxBufferSize, 96);
AT(WGPULimits, maxVertexAttributes, 104);
AT(WGPULimits, maxVertexBufferArrayStride, 108);
AT(WGPULimits, maxInterStageShaderVariables, 112);
AT(WGPULimits, maxColorAttachments, 116);
AT(WGPULimits, maxColorAttachmentBytesPerSample, 120);
AT(WGPULimits, maxComputeWorkgroupStorageSize, 124);
AT(WGPULimits, maxComputeInvocationsPerWorkgroup, 128);
AT(WGPULimits, maxComputeWorkgroupSizeX, 132);
AT(WGPULimits, maxComputeWorkgroupSizeY, 136);
AT(WGPULimits, maxComputeWorkgroupSizeZ, 140);
AT(WGPULimits, maxComputeWorkgroupsPerDimension, 144);
