/* SPDX-License-Identifier: MIT */
/*
 * What a driver shows to the loader: a function for each table, which writes the fields that it
 * knows. The loader of API 1.4 (Debian's 1.8.12) refuses a driver that lacks one of 46, those of
 * the tools and of the system's management among them, so all are here.
 */
#include "stub.h"

#if !STUB_LOADER

#define TABLE(name, type, writes)                                                         \
    EXPORT ze_result_t zeGet##name##ProcAddrTable(ze_api_version_t version, type *table); \
    ze_result_t zeGet##name##ProcAddrTable(ze_api_version_t version, type *table)         \
    {                                                                                     \
        if (!table)                                                                       \
            return ZE_RESULT_ERROR_INVALID_NULL_POINTER;                                  \
        report_begin();                                                                   \
        writes return ZE_RESULT_SUCCESS;                                                  \
    }

#define FIELD(field, function) table->pfn##field = stub_##function;

TABLE(Global, ze_global_dditable_t, FIELD(Init, Init))
TABLE(Driver, ze_driver_dditable_t,
      FIELD(Get, DriverGet) FIELD(GetApiVersion, DriverGetApiVersion)
          FIELD(GetProperties, DriverGetProperties)
              FIELD(GetExtensionProperties, DriverGetExtensionProperties))
TABLE(Device, ze_device_dditable_t,
      FIELD(Get, DeviceGet) FIELD(GetSubDevices, DeviceGetSubDevices)
          FIELD(PciGetPropertiesExt, DevicePciGetPropertiesExt)
              FIELD(GetProperties, DeviceGetProperties) FIELD(GetComputeProperties,
                                                              DeviceGetComputeProperties)
                  FIELD(GetModuleProperties, DeviceGetModuleProperties)
                      FIELD(GetCommandQueueGroupProperties, DeviceGetCommandQueueGroupProperties)
                          FIELD(GetMemoryProperties, DeviceGetMemoryProperties)
                              FIELD(GetMemoryAccessProperties, DeviceGetMemoryAccessProperties)
                                  FIELD(GetCacheProperties, DeviceGetCacheProperties)
                                      table->pfnGetGlobalTimestamps =
          script.calibrated_timestamps == PAIRS_MISSING ? NULL : stub_DeviceGetGlobalTimestamps;)
TABLE(Context, ze_context_dditable_t, FIELD(Create, ContextCreate) FIELD(Destroy, ContextDestroy))
TABLE(CommandQueue, ze_command_queue_dditable_t,
      FIELD(Create, CommandQueueCreate) FIELD(Destroy, CommandQueueDestroy)
          FIELD(ExecuteCommandLists, CommandQueueExecuteCommandLists)
              FIELD(Synchronize, CommandQueueSynchronize))
TABLE(CommandList, ze_command_list_dditable_t,
      FIELD(Create, CommandListCreate) FIELD(CreateImmediate, CommandListCreateImmediate)
          FIELD(Destroy, CommandListDestroy) FIELD(Close, CommandListClose)
              FIELD(Reset, CommandListReset) FIELD(AppendWriteGlobalTimestamp,
                                                   CommandListAppendWriteGlobalTimestamp)
                  FIELD(AppendBarrier, CommandListAppendBarrier) FIELD(AppendMemoryCopy,
                                                                       CommandListAppendMemoryCopy)
                      FIELD(AppendMemoryFill, CommandListAppendMemoryFill)
                          FIELD(AppendSignalEvent, CommandListAppendSignalEvent)
                              FIELD(AppendWaitOnEvents, CommandListAppendWaitOnEvents)
                                  FIELD(AppendEventReset, CommandListAppendEventReset)
                                      FIELD(AppendQueryKernelTimestamps,
                                            CommandListAppendQueryKernelTimestamps)
                                          FIELD(AppendLaunchKernel, CommandListAppendLaunchKernel)
                                              FIELD(AppendLaunchCooperativeKernel,
                                                    CommandListAppendLaunchCooperativeKernel))
TABLE(Fence, ze_fence_dditable_t,
      FIELD(Create, FenceCreate) FIELD(Destroy, FenceDestroy)
          FIELD(HostSynchronize, FenceHostSynchronize) FIELD(QueryStatus, FenceQueryStatus))
TABLE(EventPool, ze_event_pool_dditable_t,
      FIELD(Create, EventPoolCreate) FIELD(Destroy, EventPoolDestroy))
TABLE(Event, ze_event_dditable_t,
      FIELD(Create, EventCreate) FIELD(Destroy, EventDestroy) FIELD(HostSignal, EventHostSignal)
          FIELD(HostSynchronize, EventHostSynchronize) FIELD(QueryStatus, EventQueryStatus)
              FIELD(HostReset, EventHostReset)
                  FIELD(QueryKernelTimestamp, EventQueryKernelTimestamp))
TABLE(EventExp, ze_event_exp_dditable_t, FIELD(QueryTimestampsExp, EventQueryTimestampsExp))
TABLE(Mem, ze_mem_dditable_t,
      FIELD(AllocShared, MemAllocShared) FIELD(AllocDevice, MemAllocDevice)
          FIELD(AllocHost, MemAllocHost) FIELD(Free, MemFree)
              FIELD(GetAllocProperties, MemGetAllocProperties))
TABLE(Module, ze_module_dditable_t, FIELD(Create, ModuleCreate) FIELD(Destroy, ModuleDestroy))
TABLE(ModuleBuildLog, ze_module_build_log_dditable_t,
      FIELD(Destroy, ModuleBuildLogDestroy) FIELD(GetString, ModuleBuildLogGetString))
TABLE(Kernel, ze_kernel_dditable_t,
      FIELD(Create, KernelCreate) FIELD(Destroy, KernelDestroy)
          FIELD(SetGroupSize, KernelSetGroupSize) FIELD(SetArgumentValue, KernelSetArgumentValue)
              FIELD(GetProperties, KernelGetProperties))

/* Those of which the stub knows nothing. X(name) */
#define EMPTY_TABLES(X)                     \
    X(zeGetImageProcAddrTable)              \
    X(zeGetSamplerProcAddrTable)            \
    X(zeGetPhysicalMemProcAddrTable)        \
    X(zeGetVirtualMemProcAddrTable)         \
    X(zetGetDeviceProcAddrTable)            \
    X(zetGetContextProcAddrTable)           \
    X(zetGetCommandListProcAddrTable)       \
    X(zetGetModuleProcAddrTable)            \
    X(zetGetKernelProcAddrTable)            \
    X(zetGetMetricGroupProcAddrTable)       \
    X(zetGetMetricProcAddrTable)            \
    X(zetGetMetricStreamerProcAddrTable)    \
    X(zetGetMetricQueryPoolProcAddrTable)   \
    X(zetGetMetricQueryProcAddrTable)       \
    X(zetGetTracerExpProcAddrTable)         \
    X(zetGetDebugProcAddrTable)             \
    X(zesGetDriverProcAddrTable)            \
    X(zesGetDeviceProcAddrTable)            \
    X(zesGetSchedulerProcAddrTable)         \
    X(zesGetPerformanceFactorProcAddrTable) \
    X(zesGetPowerProcAddrTable)             \
    X(zesGetFrequencyProcAddrTable)         \
    X(zesGetEngineProcAddrTable)            \
    X(zesGetStandbyProcAddrTable)           \
    X(zesGetFirmwareProcAddrTable)          \
    X(zesGetMemoryProcAddrTable)            \
    X(zesGetFabricPortProcAddrTable)        \
    X(zesGetTemperatureProcAddrTable)       \
    X(zesGetPsuProcAddrTable)               \
    X(zesGetFanProcAddrTable)               \
    X(zesGetLedProcAddrTable)               \
    X(zesGetRasProcAddrTable)               \
    X(zesGetDiagnosticsProcAddrTable)

/* Under another name here, for those of the core API are declared with their tables. */
#define EMPTY_TABLE(name)                                                                        \
    EXPORT ze_result_t empty_##name(ze_api_version_t version, const void *table) __asm__(#name); \
    ze_result_t empty_##name(ze_api_version_t version, const void *table)                        \
    {                                                                                            \
        return ZE_RESULT_SUCCESS;                                                                \
    }

EMPTY_TABLES(EMPTY_TABLE)
#endif
