/* SPDX-License-Identifier: MIT */
/*
 * api.h - lists each function of Level Zero that is used, once. The list generates the table of
 * pointers, the loader's symbols and the check against the official header, which declares the
 * pointer types.
 *
 * Intel's driver ends the process on invalid input, so kerntime checks input first: truncated
 * SPIR-V (program.c), a device whose groups have no work-items (device.c). Lists are queried for
 * their length before they are read.
 */
#ifndef KT_LEVEL_ZERO_API_H
#define KT_LEVEL_ZERO_API_H

#include <level_zero/ze_api.h>
#include <level_zero/ze_ddi.h>

#include "support/fault.h"

/* Functions that every driver of API 1.0 has: X(name without ze). */
#define ZE_FUNCTIONS(X)                       \
    X(Init)                                   \
    X(DriverGet)                              \
    X(DriverGetApiVersion)                    \
    X(DriverGetProperties)                    \
    X(DriverGetExtensionProperties)           \
    X(DeviceGet)                              \
    X(DeviceGetProperties)                    \
    X(DeviceGetComputeProperties)             \
    X(DeviceGetModuleProperties)              \
    X(DeviceGetMemoryProperties)              \
    X(DeviceGetMemoryAccessProperties)        \
    X(DeviceGetCacheProperties)               \
    X(DeviceGetCommandQueueGroupProperties)   \
    X(ContextCreate)                          \
    X(ContextDestroy)                         \
    X(CommandQueueCreate)                     \
    X(CommandQueueDestroy)                    \
    X(CommandQueueExecuteCommandLists)        \
    X(CommandQueueSynchronize)                \
    X(CommandListCreate)                      \
    X(CommandListCreateImmediate)             \
    X(CommandListDestroy)                     \
    X(CommandListClose)                       \
    X(CommandListReset)                       \
    X(CommandListAppendBarrier)               \
    X(CommandListAppendLaunchKernel)          \
    X(CommandListAppendMemoryCopy)            \
    X(CommandListAppendMemoryFill)            \
    X(CommandListAppendWriteGlobalTimestamp)  \
    X(CommandListAppendQueryKernelTimestamps) \
    X(CommandListAppendEventReset)            \
    X(EventPoolCreate)                        \
    X(EventPoolDestroy)                       \
    X(EventCreate)                            \
    X(EventDestroy)                           \
    X(EventHostReset)                         \
    X(EventHostSynchronize)                   \
    X(EventQueryStatus)                       \
    X(EventQueryKernelTimestamp)              \
    X(MemAllocHost)                           \
    X(MemAllocDevice)                         \
    X(MemAllocShared)                         \
    X(MemFree)                                \
    X(ModuleCreate)                           \
    X(ModuleDestroy)                          \
    X(ModuleBuildLogGetString)                \
    X(ModuleBuildLogDestroy)                  \
    X(KernelCreate)                           \
    X(KernelDestroy)                          \
    X(KernelSetGroupSize)                     \
    X(KernelSetArgumentValue)                 \
    X(KernelGetProperties)

/* Functions that a loader or a driver may lack. */
#define ZE_OPTIONAL(X)                     \
    X(DeviceGetSubDevices)                 \
    X(DevicePciGetPropertiesExt)           \
    X(DeviceGetGlobalTimestamps) /* 1.1 */ \
    X(EventQueryTimestampsExp)   /* 1.2, an extension */

/* Functions of API 1.9, which older headers do not declare: X(name without ze, (parameters)). */
#define ZE_LATER(X)                                                                   \
    X(CommandListIsImmediate, (ze_command_list_handle_t, ze_bool_t *))                \
    X(CommandListGetContextHandle, (ze_command_list_handle_t, ze_context_handle_t *)) \
    X(CommandListGetDeviceHandle, (ze_command_list_handle_t, ze_device_handle_t *))

typedef struct ze_api {
#define ZE_POINTER(name) ze_pfn##name##_t ze##name;
    ZE_FUNCTIONS(ZE_POINTER)
    ZE_OPTIONAL(ZE_POINTER)
#undef ZE_POINTER
#define ZE_POINTER(name, parameters) ze_result_t(ZE_APICALL *ze##name) parameters;
    ZE_LATER(ZE_POINTER)
#undef ZE_POINTER
} ze_api;

/* The code that a driver call returns when a test makes the call fail. */
#define ZE_FAULT ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY

/* Makes a driver call and returns its ze_result_t. */
#define ZE_CODE(api, function, ...) KT_CALL(api, function, ZE_FAULT, __VA_ARGS__)

#endif
