/* SPDX-License-Identifier: MIT */
/* Every message and function of the stub, as its report and its script name them. */
#ifndef METAL_STUB_ENTRY_POINTS_H
#define METAL_STUB_ENTRY_POINTS_H

/* X(name, selector, can it fail: by nil, 0 or NO) */
#define MESSAGES(X)                                                                             \
    X(alloc, "alloc", 1)                                                                        \
    X(init, "init", 1)                                                                          \
    X(new, "new", 1)                                                                            \
    X(respondsToSelector, "respondsToSelector:", 1)                                             \
    X(isKindOfClass, "isKindOfClass:", 1)                                                       \
    X(retain, "retain", 0)                                                                      \
    X(release, "release", 0)                                                                    \
    X(autorelease, "autorelease", 0)                                                            \
    X(retainCount, "retainCount", 0)                                                            \
    X(stringWithUTF8String, "stringWithUTF8String:", 1)                                         \
    X(initWithBytes, "initWithBytes:length:encoding:", 1)                                       \
    X(UTF8String, "UTF8String", 1)                                                              \
    X(localizedDescription, "localizedDescription", 1)                                          \
    X(count, "count", 1)                                                                        \
    X(objectAtIndex, "objectAtIndex:", 1)                                                       \
    X(bytes, "bytes", 1)                                                                        \
    X(length, "length", 1)                                                                      \
    X(code, "code", 1)                                                                          \
    X(domain, "domain", 1)                                                                      \
    X(processInfo, "processInfo", 1)                                                            \
    X(operatingSystemVersionString, "operatingSystemVersionString", 1)                          \
    X(name, "name", 1)                                                                          \
    X(label, "label", 1)                                                                        \
    X(setLabel, "setLabel:", 0)                                                                 \
    X(device, "device", 1)                                                                      \
    X(registryID, "registryID", 1)                                                              \
    X(isLowPower, "isLowPower", 1)                                                              \
    X(isRemovable, "isRemovable", 1)                                                            \
    X(isHeadless, "isHeadless", 1)                                                              \
    X(hasUnifiedMemory, "hasUnifiedMemory", 1)                                                  \
    X(recommendedMaxWorkingSetSize, "recommendedMaxWorkingSetSize", 1)                          \
    X(maxBufferLength, "maxBufferLength", 1)                                                    \
    X(maxThreadgroupMemoryLength, "maxThreadgroupMemoryLength", 1)                              \
    X(supportsCounterSampling, "supportsCounterSampling:", 1)                                   \
    X(counterSets, "counterSets", 1)                                                            \
    X(newCounterSampleBuffer, "newCounterSampleBufferWithDescriptor:error:", 1)                 \
    X(sampleTimestamps, "sampleTimestamps:gpuTimestamp:", 1)                                    \
    X(newCommandQueue, "newCommandQueue", 1)                                                    \
    X(newCommandQueueWithMaxCommandBufferCount, "newCommandQueueWithMaxCommandBufferCount:", 1) \
    X(newFence, "newFence", 1)                                                                  \
    X(newBufferWithLength, "newBufferWithLength:options:", 1)                                   \
    X(newBufferWithBytesNoCopy, "newBufferWithBytesNoCopy:length:options:deallocator:", 1)      \
    X(newLibraryWithSource, "newLibraryWithSource:options:error:", 1)                           \
    X(newComputePipelineState, "newComputePipelineStateWithFunction:error:", 1)                 \
    X(newReflectedPipelineState,                                                                \
      "newComputePipelineStateWithFunction:options:reflection:error:", 1)                       \
    X(arguments, "arguments", 1)                                                                \
    X(type, "type", 1)                                                                          \
    X(access, "access", 1)                                                                      \
    X(index, "index", 1)                                                                        \
    X(bufferDataSize, "bufferDataSize", 1)                                                      \
    X(staticThreadgroupMemoryLength, "staticThreadgroupMemoryLength", 1)                        \
    X(setThreadgroupMemoryLength, "setThreadgroupMemoryLength:atIndex:", 0)                     \
    X(newFunctionWithName, "newFunctionWithName:", 1)                                           \
    X(functionType, "functionType", 1)                                                          \
    X(setMathMode, "setMathMode:", 0)                                                           \
    X(setFastMathEnabled, "setFastMathEnabled:", 0)                                             \
    X(maxTotalThreadsPerThreadgroup, "maxTotalThreadsPerThreadgroup", 1)                        \
    X(threadExecutionWidth, "threadExecutionWidth", 1)                                          \
    X(contents, "contents", 1)                                                                  \
    X(counters, "counters", 1)                                                                  \
    X(setCounterSet, "setCounterSet:", 0)                                                       \
    X(setStorageMode, "setStorageMode:", 0)                                                     \
    X(setSampleCount, "setSampleCount:", 0)                                                     \
    X(sampleCount, "sampleCount", 1)                                                            \
    X(resolveCounterRange, "resolveCounterRange:", 1)                                           \
    X(computePassDescriptor, "computePassDescriptor", 1)                                        \
    X(blitPassDescriptor, "blitPassDescriptor", 1)                                              \
    X(renderPassDescriptor, "renderPassDescriptor", 1)                                          \
    X(sampleBufferAttachments, "sampleBufferAttachments", 1)                                    \
    X(objectAtIndexedSubscript, "objectAtIndexedSubscript:", 1)                                 \
    X(sampleBuffer, "sampleBuffer", 1)                                                          \
    X(setSampleBuffer, "setSampleBuffer:", 0)                                                   \
    X(setStartOfEncoderSampleIndex, "setStartOfEncoderSampleIndex:", 0)                         \
    X(setEndOfEncoderSampleIndex, "setEndOfEncoderSampleIndex:", 0)                             \
    X(setStartOfVertexSampleIndex, "setStartOfVertexSampleIndex:", 0)                           \
    X(setEndOfVertexSampleIndex, "setEndOfVertexSampleIndex:", 0)                               \
    X(setStartOfFragmentSampleIndex, "setStartOfFragmentSampleIndex:", 0)                       \
    X(setEndOfFragmentSampleIndex, "setEndOfFragmentSampleIndex:", 0)                           \
    X(commandBuffer, "commandBuffer", 1)                                                        \
    X(computeCommandEncoder, "computeCommandEncoder", 1)                                        \
    X(computeCommandEncoderWithDescriptor, "computeCommandEncoderWithDescriptor:", 1)           \
    X(blitCommandEncoder, "blitCommandEncoder", 1)                                              \
    X(blitCommandEncoderWithDescriptor, "blitCommandEncoderWithDescriptor:", 1)                 \
    X(renderCommandEncoderWithDescriptor, "renderCommandEncoderWithDescriptor:", 1)             \
    X(commit, "commit", 0)                                                                      \
    X(status, "status", 1)                                                                      \
    X(error, "error", 1)                                                                        \
    X(GPUStartTime, "GPUStartTime", 1)                                                          \
    X(GPUEndTime, "GPUEndTime", 1)                                                              \
    X(waitUntilCompleted, "waitUntilCompleted", 0)                                              \
    X(setComputePipelineState, "setComputePipelineState:", 0)                                   \
    X(setBuffer, "setBuffer:offset:atIndex:", 0)                                                \
    X(setBytes, "setBytes:length:atIndex:", 0)                                                  \
    X(dispatchThreadgroups, "dispatchThreadgroups:threadsPerThreadgroup:", 0)                   \
    X(drawPrimitives, "drawPrimitives:vertexStart:vertexCount:", 0)                             \
    X(sampleCountersInBuffer, "sampleCountersInBuffer:atSampleIndex:withBarrier:", 0)           \
    X(copyFromBuffer, "copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:", 0)        \
    X(fillBuffer, "fillBuffer:range:value:", 0)                                                 \
    X(waitForFence, "waitForFence:", 0)                                                         \
    X(updateFence, "updateFence:", 0)                                                           \
    X(endEncoding, "endEncoding", 0)

/* X(name, can it fail) */
#define FUNCTIONS(X)                   \
    X(MTLCopyAllDevices, 1)            \
    X(MTLCreateSystemDefaultDevice, 1) \
    X(objc_autoreleasePoolPush, 0)     \
    X(objc_autoreleasePoolPop, 0)      \
    X(objc_setAssociatedObject, 0)     \
    X(mach_absolute_time, 0)           \
    X(mach_timebase_info, 1)

enum entry {
#define MESSAGE_NUMBER(name_, selector, fails) ENTRY_##name_,
#define FUNCTION_NUMBER(name_, fails)          ENTRY_##name_,
    MESSAGES(MESSAGE_NUMBER) FUNCTIONS(FUNCTION_NUMBER) ENTRY_COUNT
#undef MESSAGE_NUMBER
#undef FUNCTION_NUMBER
};

#endif
