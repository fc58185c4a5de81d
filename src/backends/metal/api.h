/* SPDX-License-Identifier: MIT */
/*
 * api.h - the messages that this backend sends to objects of Metal and Foundation.
 *
 * Each entry of the lists below becomes one function with exact types:
 *
 *     MAKES(name, selector, parameters, arguments)         returns an object; nil in the fault loop
 *     ASKS(result, name, selector, parameters, arguments)  returns a number; 0 in the fault loop,
 *                                                          unless metal_loses() exempts it
 *     TELLS(name, selector, parameters, arguments)         returns nothing
 *
 * Parameters and arguments begin with a comma, since api and object come before them. The caller
 * owns the results of new_, alloc_ and init_ functions. Other objects live as long as the enclosing
 * autorelease pool or the object that returned them.
 *
 * METAL_KNOWS checks first for a message that some macOS version lacks. Each entry point of the
 * backend pushes an autorelease pool.
 */
#ifndef KT_METAL_API_H
#define KT_METAL_API_H

#include "backends/metal/objc.h"
#include "support/fault.h"

/* NSUInteger is as wide as a pointer, like size_t. */
typedef struct metal_size {
    size_t width, height, depth;
} metal_size;

typedef struct metal_range_of_units {
    size_t location, length;
} metal_range_of_units;

/* clang-format off */
#define METAL_MESSAGES_OF_FOUNDATION(MAKES, ASKS, TELLS)                                                                       \
    MAKES(alloc_object, "alloc", (), ())                                                                                       \
    MAKES(new_object, "new", (), ())                                                                                           \
    MAKES(process_info, "processInfo", (), ())                                                                                 \
    MAKES(version_string, "operatingSystemVersionString", (), ())                                                              \
    ASKS(objc_id, init_text, "initWithBytes:length:encoding:",                                                          \
          (, const void *bytes, size_t length, size_t encoding), (, bytes, length, encoding))                                  \
    ASKS(const char *, utf8, "UTF8String", (), ())                                                                             \
    MAKES(description, "localizedDescription", (), ())                                                                         \
    ASKS(ptrdiff_t, code, "code", (), ()) /* of an error */                                                                    \
    ASKS(objc_id, domain, "domain", (), ())                                                                                    \
    ASKS(size_t, count, "count", (), ())                                                                                       \
    MAKES(object_at, "objectAtIndex:", (, size_t index), (, index))                                                            \
    ASKS(const void *, bytes, "bytes", (), ())                                                                                 \
    ASKS(size_t, length, "length", (), ()) /* of data, and of a buffer */                                                      \
    ASKS(objc_bool, responds_to, "respondsToSelector:", (, objc_selector selector), (, selector))                              \
    ASKS(objc_id, retain, "retain", (), ())                                                                                    \
    TELLS(release, "release", (), ())

#define METAL_MESSAGES_OF_DEVICES(MAKES, ASKS, TELLS)                                                                          \
    MAKES(name, "name", (), ()) /* of a device, a counter set, a counter */                                                    \
    ASKS(uint64_t, registry_id, "registryID", (), ())                                                                          \
    ASKS(objc_bool, is_low_power, "isLowPower", (), ())                                                                        \
    ASKS(objc_bool, has_unified_memory, "hasUnifiedMemory", (), ())                        /* macOS 10.15 */                   \
    ASKS(uint64_t, recommended_memory, "recommendedMaxWorkingSetSize", (), ())             /* macOS 10.12 */                   \
    ASKS(size_t, max_buffer_length, "maxBufferLength", (), ())                             /* macOS 10.14 */                   \
    ASKS(size_t, max_threadgroup_memory, "maxThreadgroupMemoryLength", (), ())             /* macOS 10.13 */                   \
    MAKES(counter_sets, "counterSets", (), ())                                             /* macOS 10.15 */                   \
    ASKS(objc_bool, supports_sampling, "supportsCounterSampling:", (, size_t point), (, point)) /* macOS 11 */                 \
    TELLS(sample_timestamps, "sampleTimestamps:gpuTimestamp:", (, uint64_t *cpu, uint64_t *gpu), (, cpu, gpu)) /* 10.15 */     \
    MAKES(new_queue, "newCommandQueueWithMaxCommandBufferCount:", (, size_t count), (, count))                                 \
    MAKES(new_fence, "newFence", (), ())                                                   /* macOS 10.13 */                   \
    MAKES(new_buffer, "newBufferWithLength:options:", (, size_t length, size_t options), (, length, options))                  \
    MAKES(new_buffer_over, "newBufferWithBytesNoCopy:length:options:deallocator:",                                             \
          (, void *memory, size_t length, size_t options, void *deallocator), (, memory, length, options, deallocator))        \
    MAKES(new_library, "newLibraryWithSource:options:error:",                                                                  \
          (, objc_id source, objc_id options, objc_id *error), (, source, options, error))                                     \
    MAKES(new_pipeline, "newComputePipelineStateWithFunction:error:",                                                          \
          (, objc_id function, objc_id *error), (, function, error))                                                           \
    MAKES(new_reflected_pipeline, "newComputePipelineStateWithFunction:options:reflection:error:",                             \
          (, objc_id function, size_t options, objc_id *reflection, objc_id *error), (, function, options, reflection, error)) \
    MAKES(arguments, "arguments", (), ()) /* of a reflection */                                                                \
    ASKS(size_t, type, "type", (), ()) /* of an argument, as the next three */                                                 \
    ASKS(size_t, access, "access", (), ())                                                                                     \
    ASKS(size_t, index, "index", (), ())                                                                                       \
    ASKS(size_t, data_size, "bufferDataSize", (), ())                                                                          \
    MAKES(new_sample_buffer, "newCounterSampleBufferWithDescriptor:error:",                                                    \
          (, objc_id descriptor, objc_id *error), (, descriptor, error))                           /* macOS 10.15 */           \
    MAKES(new_function, "newFunctionWithName:", (, objc_id name), (, name))                                                    \
    ASKS(size_t, function_type, "functionType", (), ())                                                                        \
    ASKS(size_t, max_threads, "maxTotalThreadsPerThreadgroup", (), ())                                                         \
    ASKS(size_t, execution_width, "threadExecutionWidth", (), ())                                                              \
    ASKS(size_t, own_threadgroup_memory, "staticThreadgroupMemoryLength", (), ()) /* macOS 10.13 */                            \
    TELLS(set_fast_math, "setFastMathEnabled:", (, objc_bool enabled), (, enabled))                                            \
    ASKS(void *, contents, "contents", (), ())

#define METAL_MESSAGES_OF_SAMPLES(MAKES, ASKS, TELLS)                                                                          \
    TELLS(set_counter_set, "setCounterSet:", (, objc_id set), (, set))                                                         \
    TELLS(set_storage_mode, "setStorageMode:", (, size_t mode), (, mode))                                                      \
    TELLS(set_sample_count, "setSampleCount:", (, size_t count), (, count))                                                    \
    MAKES(resolve, "resolveCounterRange:", (, metal_range_of_units range), (, range))                                          \
    MAKES(compute_pass, "computePassDescriptor", (), ())                                           /* macOS 11 */              \
    MAKES(blit_pass, "blitPassDescriptor", (), ())                                                 /* macOS 11 */              \
    MAKES(attachments, "sampleBufferAttachments", (), ())                                                                      \
    MAKES(attachment_at, "objectAtIndexedSubscript:", (, size_t index), (, index))                                             \
    ASKS(objc_id, attached_buffer, "sampleBuffer", (), ()) /* of an attachment; nil: none yet */                               \
    TELLS(set_sample_buffer, "setSampleBuffer:", (, objc_id buffer), (, buffer))                                               \
    TELLS(set_start_index, "setStartOfEncoderSampleIndex:", (, size_t index), (, index))                                       \
    TELLS(set_end_index, "setEndOfEncoderSampleIndex:", (, size_t index), (, index))                                           \
    TELLS(set_vertex_start_index, "setStartOfVertexSampleIndex:", (, size_t index), (, index))                                 \
    TELLS(set_vertex_end_index, "setEndOfVertexSampleIndex:", (, size_t index), (, index))                                     \
    TELLS(set_fragment_start_index, "setStartOfFragmentSampleIndex:", (, size_t index), (, index))                             \
    TELLS(set_fragment_end_index, "setEndOfFragmentSampleIndex:", (, size_t index), (, index))                                 \
    TELLS(sample_counters, "sampleCountersInBuffer:atSampleIndex:withBarrier:",                                                \
          (, objc_id buffer, size_t index, objc_bool barrier), (, buffer, index, barrier))

#define METAL_MESSAGES_OF_WORK(MAKES, ASKS, TELLS)                                                                             \
    MAKES(command_buffer, "commandBuffer", (), ())                                                                             \
    ASKS(objc_id, device_of, "device", (), ()) /* of a command buffer or encoder */                                           \
    MAKES(compute_encoder, "computeCommandEncoder", (), ())                                                                    \
    MAKES(compute_encoder_with, "computeCommandEncoderWithDescriptor:", (, objc_id descriptor), (, descriptor)) /* macOS 11 */ \
    MAKES(blit_encoder, "blitCommandEncoder", (), ())                                                                          \
    MAKES(blit_encoder_with, "blitCommandEncoderWithDescriptor:", (, objc_id descriptor), (, descriptor)) /* macOS 11 */       \
    TELLS(set_pipeline, "setComputePipelineState:", (, objc_id pipeline), (, pipeline))                                        \
    TELLS(set_buffer, "setBuffer:offset:atIndex:",                                                                             \
          (, objc_id buffer, size_t offset, size_t index), (, buffer, offset, index))                                          \
    TELLS(set_bytes, "setBytes:length:atIndex:",                                                                               \
          (, const void *bytes, size_t length, size_t index), (, bytes, length, index))                                        \
    TELLS(set_threadgroup_memory, "setThreadgroupMemoryLength:atIndex:", (, size_t length, size_t index), (, length, index))   \
    TELLS(dispatch, "dispatchThreadgroups:threadsPerThreadgroup:",                                                             \
          (, metal_size groups, metal_size group_size), (, groups, group_size))                                                \
    TELLS(copy_buffer, "copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:",                                         \
          (, objc_id src, size_t src_offset, objc_id dst, size_t dst_offset, size_t bytes),                                    \
          (, src, src_offset, dst, dst_offset, bytes))                                                                         \
    TELLS(wait_for_fence, "waitForFence:", (, objc_id fence), (, fence))                                                       \
    TELLS(update_fence, "updateFence:", (, objc_id fence), (, fence))                                                          \
    TELLS(end_encoding, "endEncoding", (), ())                                                                                 \
    TELLS(commit, "commit", (), ())                                                                                            \
    ASKS(size_t, status, "status", (), ())                                                                                     \
    ASKS(objc_id, error, "error", (), ())                                                                                      \
    ASKS(double, gpu_start, "GPUStartTime", (), ())                                                /* macOS 10.15 */           \
    ASKS(double, gpu_end, "GPUEndTime", (), ())                                                    /* macOS 10.15 */

/* Messages to the program's objects. */
#define METAL_MESSAGES_OF_TIMERS(MAKES, ASKS, TELLS)                                                                           \
    ASKS(objc_id, label, "label", (), ())                                                                                      \
    ASKS(objc_bool, is_kind_of, "isKindOfClass:", (, objc_id class), (, class))                                                \
    TELLS(set_label, "setLabel:", (, objc_id label), (, label))                                                                \
    TELLS(draw, "drawPrimitives:vertexStart:vertexCount:",                                                                     \
          (, size_t type, size_t first, size_t count), (, type, first, count))
/* clang-format on */

#define METAL_MESSAGES(MAKES, ASKS, TELLS)           \
    METAL_MESSAGES_OF_FOUNDATION(MAKES, ASKS, TELLS) \
    METAL_MESSAGES_OF_DEVICES(MAKES, ASKS, TELLS)    \
    METAL_MESSAGES_OF_SAMPLES(MAKES, ASKS, TELLS)    \
    METAL_MESSAGES_OF_WORK(MAKES, ASKS, TELLS)       \
    METAL_MESSAGES_OF_TIMERS(MAKES, ASKS, TELLS)

/* Message numbers such as METAL_SENDS_commit. */
typedef enum metal_message {
#define METAL_NUMBER(name, selector, parameters, arguments)            METAL_SENDS_##name,
#define METAL_NUMBER_OF(result, name, selector, parameters, arguments) METAL_SENDS_##name,
    METAL_MESSAGES(METAL_NUMBER, METAL_NUMBER_OF, METAL_NUMBER)
#undef METAL_NUMBER
#undef METAL_NUMBER_OF
        METAL_MESSAGE_COUNT
} metal_message;

/* Classes that create objects, and NSProcessInfo with its one instance. */
#define METAL_CLASSES(X)              \
    X(text_class, "NSString")         \
    X(process_class, "NSProcessInfo") \
    X(options_class, "MTLCompileOptions")

/* Classes missing before macOS 10.15 or 11; NULL there. */
#define METAL_CLASSES_OF_SAMPLES(X)                      \
    X(samples_class, "MTLCounterSampleBufferDescriptor") \
    X(compute_pass_class, "MTLComputePassDescriptor")    \
    X(blit_pass_class, "MTLBlitPassDescriptor")

#define METAL_FUNCTIONS(X)                \
    X(objc_id, MTLCopyAllDevices, (void)) \
    X(objc_id, MTLCreateSystemDefaultDevice, (void))

typedef struct metal_api {
    objc_runtime objc;
    objc_selector selectors[METAL_MESSAGE_COUNT];
    /* A class receives messages like any other object. */
#define METAL_CLASS(member, name) objc_id member;
    METAL_CLASSES(METAL_CLASS)
    METAL_CLASSES_OF_SAMPLES(METAL_CLASS)
#undef METAL_CLASS
#define METAL_POINTER(result, name, parameters) result(*name) parameters;
    METAL_FUNCTIONS(METAL_POINTER) /* NULL: this macOS version has the other function */
#undef METAL_POINTER
} metal_api;

/*
 * Whether the fault loop replaces the answer by 0. It spares calls that cannot fail, and two whose
 * callers inject the fault: "status", which is polled, and init_text, which consumes its receiver.
 */
static inline bool metal_loses(metal_message message, const char *selector)
{
    (void)selector; /* unused in builds without fault injection */
    return message != METAL_SENDS_retain && message != METAL_SENDS_responds_to &&
           message != METAL_SENDS_status && message != METAL_SENDS_init_text &&
           kt_fault(KT_FAULT_DRIVER, selector);
}

#define METAL_LIST(...) __VA_ARGS__

/* Defines metal_commit(api, object) and the like. */
#define METAL_DEFINE_TELLS(name, selector, parameters, arguments)                               \
    static inline void metal_##name(const metal_api *api, objc_id object METAL_LIST parameters) \
    {                                                                                           \
        objc_selector to_send = api->selectors[METAL_SENDS_##name];                             \
        objc_method method = kt_metal_find_method(&api->objc, object, to_send);                 \
        if (method)                                                                             \
            ((void (*)(objc_id, objc_selector METAL_LIST parameters))method)(                   \
                object, to_send METAL_LIST arguments);                                          \
    }
#define METAL_DEFINE_ASKS(result, name, selector, parameters, arguments)                          \
    static inline result metal_##name(const metal_api *api, objc_id object METAL_LIST parameters) \
    {                                                                                             \
        objc_selector to_send = api->selectors[METAL_SENDS_##name];                               \
        objc_method method = kt_metal_find_method(&api->objc, object, to_send);                   \
        if (!method || metal_loses(METAL_SENDS_##name, selector))                                 \
            return 0;                                                                             \
        return ((result(*)(objc_id, objc_selector METAL_LIST parameters))method)(                 \
            object, to_send METAL_LIST arguments);                                                \
    }
#define METAL_DEFINE_MAKES(name, selector, parameters, arguments)                                  \
    static inline objc_id metal_##name(const metal_api *api, objc_id object METAL_LIST parameters) \
    {                                                                                              \
        objc_selector to_send = api->selectors[METAL_SENDS_##name];                                \
        objc_method method = kt_metal_find_method(&api->objc, object, to_send);                    \
        if (!method || kt_fault(KT_FAULT_DRIVER, selector))                                        \
            return NULL;                                                                           \
        return ((objc_id(*)(objc_id, objc_selector METAL_LIST parameters))method)(                 \
            object, to_send METAL_LIST arguments);                                                 \
    }
METAL_MESSAGES(METAL_DEFINE_MAKES, METAL_DEFINE_ASKS, METAL_DEFINE_TELLS)
#undef METAL_DEFINE_TELLS
#undef METAL_DEFINE_ASKS
#undef METAL_DEFINE_MAKES

/* Whether the object exists and takes the message: METAL_KNOWS(api, device, sample_timestamps).
 * Asks the object, not its class: the wrappers for capture and validation forward messages that
 * their classes do not implement. */
#define METAL_KNOWS(api, object, message) \
    (metal_responds_to(api, object, (api)->selectors[METAL_SENDS_##message]) != 0)

/* Opens both libraries. KT_UNAVAILABLE, with an error text. */
kt_status kt_metal_open(metal_api *api);

/* The pop releases every autoreleased object returned since the push. */
static inline void *metal_pool_push(const metal_api *api)
{
    return api->objc.objc_autoreleasePoolPush();
}

static inline void metal_pool_pop(const metal_api *api, void *pool)
{
    api->objc.objc_autoreleasePoolPop(pool);
}

/* ---- Metal's constants ---- */

enum {
    METAL_UTF8 = 4,             /* NSUTF8StringEncoding */
    METAL_FUNCTION_KERNEL = 3,  /* MTLFunctionTypeKernel */
    METAL_STORAGE_SHARED = 0,   /* MTLResourceStorageModeShared, MTLStorageModeShared */
    METAL_STORAGE_PRIVATE = 32, /* MTLResourceStorageModePrivate */
    METAL_COMMITTED = 2,        /* MTLCommandBufferStatusCommitted */
    METAL_COMPLETED = 4,        /* MTLCommandBufferStatusCompleted */
    METAL_FAILED = 5,           /* MTLCommandBufferStatusError */
    METAL_NO_ROOM = 0,          /* MTLCounterSampleBufferErrorOutOfMemory */
    METAL_NO_MEMORY = 8,        /* MTLCommandBufferErrorOutOfMemory */
    METAL_ACCESS_REVOKED = 4,   /* MTLCommandBufferErrorAccessRevoked */
    METAL_DEVICE_REMOVED = 11,  /* MTLCommandBufferErrorDeviceRemoved */
    METAL_REFLECT = 1,          /* MTLPipelineOptionArgumentInfo */
    METAL_REFLECT_TYPES = 2,    /* MTLPipelineOptionBufferTypeInfo */
    METAL_IS_BUFFER = 0,        /* MTLArgumentTypeBuffer */
    METAL_IS_LOCAL = 1,         /* MTLArgumentTypeThreadgroupMemory */
    METAL_IS_TEXTURE = 2,       /* MTLArgumentTypeTexture */
    METAL_IS_SAMPLER = 3,       /* MTLArgumentTypeSampler */
    METAL_READ_ONLY = 0         /* MTLBindingAccessReadOnly */
};

/* Sampling points that a GPU may support. Sampling at an unsupported point aborts the process. */
typedef enum metal_point {
    METAL_AT_STAGE = 0,    /* MTLCounterSamplingPointAtStageBoundary */
    METAL_AT_DRAW = 1,     /* MTLCounterSamplingPointAtDrawBoundary */
    METAL_AT_DISPATCH = 2, /* MTLCounterSamplingPointAtDispatchBoundary */
    METAL_AT_BLIT = 4      /* MTLCounterSamplingPointAtBlitBoundary */
} metal_point;

#define METAL_DONT_SAMPLE  SIZE_MAX   /* MTLCounterDontSample */
#define METAL_SAMPLE_ERROR UINT64_MAX /* MTLCounterErrorValue */

#endif
