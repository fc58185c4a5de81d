/* SPDX-License-Identifier: MIT */
/*
 * A driver of Level Zero for loaders that does nothing and checks nothing, so that what is between
 * it and a program shows: a dispatch takes a few ns. Command N of a process begins at 100 N ns and
 * ends 50 ns later. Events are taken in turn from a fixed set, and never freed.
 */
#include <level_zero/ze_api.h>
#include <level_zero/ze_ddi.h>

#include <stdatomic.h>

enum { EVENTS = 1 << 20 };

struct _ze_event_handle_t {
    uint64_t number; /* of its command; 0: it is not signalled */
};

static char driver, device, context, module, kernel, queue, list, pool; /* handles */
static struct _ze_event_handle_t events[EVENTS];
static _Atomic(uint64_t) commands, taken;

#define HANDLE(type, object) ((type)(void *)&(object))

static ze_result_t init(ze_init_flags_t flags)
{
    (void)flags;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t get_drivers(uint32_t *count, ze_driver_handle_t *out)
{
    *count = 1;
    if (out)
        *out = HANDLE(ze_driver_handle_t, driver);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t get_extensions(ze_driver_handle_t of, uint32_t *count,
                                  ze_driver_extension_properties_t *out)
{
    (void)of, (void)out;
    *count = 0;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t get_devices(ze_driver_handle_t of, uint32_t *count, ze_device_handle_t *out)
{
    (void)of;
    *count = 1;
    if (out)
        *out = HANDLE(ze_device_handle_t, device);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t get_parts(ze_device_handle_t of, uint32_t *count, ze_device_handle_t *out)
{
    (void)of, (void)out;
    *count = 0;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t get_properties(ze_device_handle_t of, ze_device_properties_t *out)
{
    (void)of;
    *out = (ze_device_properties_t){.stype = out->stype,
                                    .type = ZE_DEVICE_TYPE_GPU,
                                    .timerResolution = 1000000000,
                                    .timestampValidBits = 64,
                                    .kernelTimestampValidBits = 64,
                                    .name = "Null driver of Level Zero"};
    return ZE_RESULT_SUCCESS;
}

static ze_result_t get_groups(ze_device_handle_t of, uint32_t *count,
                              ze_command_queue_group_properties_t *out)
{
    (void)of;
    *count = 1;
    if (out) {
        out->flags = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE;
        out->numQueues = 1;
    }
    return ZE_RESULT_SUCCESS;
}

static ze_result_t create_context(ze_driver_handle_t of, const ze_context_desc_t *desc,
                                  ze_context_handle_t *out)
{
    (void)of, (void)desc;
    *out = HANDLE(ze_context_handle_t, context);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t create_module(ze_context_handle_t in, ze_device_handle_t on,
                                 const ze_module_desc_t *desc, ze_module_handle_t *out,
                                 ze_module_build_log_handle_t *log)
{
    (void)in, (void)on, (void)desc, (void)log;
    *out = HANDLE(ze_module_handle_t, module);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t create_kernel(ze_module_handle_t of, const ze_kernel_desc_t *desc,
                                 ze_kernel_handle_t *out)
{
    (void)of, (void)desc;
    *out = HANDLE(ze_kernel_handle_t, kernel);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t create_immediate(ze_context_handle_t in, ze_device_handle_t on,
                                    const ze_command_queue_desc_t *desc,
                                    ze_command_list_handle_t *out)
{
    (void)in, (void)on, (void)desc;
    *out = HANDLE(ze_command_list_handle_t, list);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t create_list(ze_context_handle_t in, ze_device_handle_t on,
                               const ze_command_list_desc_t *desc, ze_command_list_handle_t *out)
{
    (void)in, (void)on, (void)desc;
    *out = HANDLE(ze_command_list_handle_t, list);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t create_queue(ze_context_handle_t in, ze_device_handle_t on,
                                const ze_command_queue_desc_t *desc, ze_command_queue_handle_t *out)
{
    (void)in, (void)on, (void)desc;
    *out = HANDLE(ze_command_queue_handle_t, queue);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t create_pool(ze_context_handle_t in, const ze_event_pool_desc_t *desc,
                               uint32_t count, ze_device_handle_t *on, ze_event_pool_handle_t *out)
{
    (void)in, (void)desc, (void)count, (void)on;
    *out = HANDLE(ze_event_pool_handle_t, pool);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t create_event(ze_event_pool_handle_t in, const ze_event_desc_t *desc,
                                ze_event_handle_t *out)
{
    (void)in, (void)desc;
    *out = &events[atomic_fetch_add(&taken, 1) % EVENTS];
    return ZE_RESULT_SUCCESS;
}

/* ---- commands ---- */

static ze_result_t signal(ze_event_handle_t event)
{
    uint64_t number = atomic_fetch_add_explicit(&commands, 1, memory_order_relaxed) + 1;
    if (event)
        event->number = number;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t launch(ze_command_list_handle_t to, ze_kernel_handle_t what,
                          const ze_group_count_t *groups, ze_event_handle_t event, uint32_t count,
                          ze_event_handle_t *waits)
{
    (void)to, (void)what, (void)groups, (void)count, (void)waits;
    return signal(event);
}

static ze_result_t barrier(ze_command_list_handle_t to, ze_event_handle_t event, uint32_t count,
                           ze_event_handle_t *waits)
{
    (void)to, (void)count, (void)waits;
    return signal(event);
}

static ze_result_t wait_for(ze_event_handle_t event, uint64_t timeout)
{
    (void)timeout;
    return event->number ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
}

static ze_result_t ask(ze_event_handle_t event)
{
    return wait_for(event, 0);
}

static ze_result_t reset(ze_event_handle_t event)
{
    event->number = 0;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t get_timestamps(ze_event_handle_t event, ze_kernel_timestamp_result_t *out)
{
    if (!event->number)
        return ZE_RESULT_NOT_READY;
    out->global.kernelStart = out->context.kernelStart = 100 * event->number;
    out->global.kernelEnd = out->context.kernelEnd = 100 * event->number + 50;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t execute(ze_command_queue_handle_t on, uint32_t count,
                           ze_command_list_handle_t *lists, ze_fence_handle_t fence)
{
    (void)on, (void)count, (void)lists, (void)fence;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t finish(ze_command_queue_handle_t on, uint64_t timeout)
{
    (void)on, (void)timeout;
    return ZE_RESULT_SUCCESS;
}

/* ---- tables: all that the loader of API 1.4 wants ---- */

#define EXPORT __attribute__((visibility("default")))
#define TABLE(name, type, ...)                                                     \
    EXPORT ze_result_t zeGet##name##ProcAddrTable(ze_api_version_t v, type *table) \
    {                                                                              \
        (void)v;                                                                   \
        __VA_ARGS__                                                                \
        return ZE_RESULT_SUCCESS;                                                  \
    }
#define SET(field, function) table->pfn##field = function;

TABLE(Global, ze_global_dditable_t, SET(Init, init))
TABLE(Driver, ze_driver_dditable_t,
      SET(Get, get_drivers) SET(GetExtensionProperties, get_extensions))
TABLE(Device, ze_device_dditable_t,
      SET(Get, get_devices) SET(GetSubDevices, get_parts) SET(GetProperties, get_properties)
          SET(GetCommandQueueGroupProperties, get_groups))
TABLE(Context, ze_context_dditable_t, SET(Create, create_context))
TABLE(CommandQueue, ze_command_queue_dditable_t,
      SET(Create, create_queue) SET(ExecuteCommandLists, execute) SET(Synchronize, finish))
TABLE(CommandList, ze_command_list_dditable_t,
      SET(Create, create_list) SET(CreateImmediate, create_immediate)
          SET(AppendLaunchKernel, launch) SET(AppendBarrier, barrier))
TABLE(EventPool, ze_event_pool_dditable_t, SET(Create, create_pool))
TABLE(Event, ze_event_dditable_t,
      SET(Create, create_event) SET(HostSynchronize, wait_for) SET(QueryStatus, ask)
          SET(HostReset, reset) SET(QueryKernelTimestamp, get_timestamps))
TABLE(Module, ze_module_dditable_t, SET(Create, create_module))
TABLE(Kernel, ze_kernel_dditable_t, SET(Create, create_kernel))

#define EMPTY(name)                                                                  \
    EXPORT ze_result_t empty_##name(ze_api_version_t v, void *table) __asm__(#name); \
    ze_result_t empty_##name(ze_api_version_t v, void *table)                        \
    {                                                                                \
        (void)v, (void)table;                                                        \
        return ZE_RESULT_SUCCESS;                                                    \
    }
#define EMPTY_TABLES(X)                     \
    X(zeGetEventExpProcAddrTable)           \
    X(zeGetFenceProcAddrTable)              \
    X(zeGetImageProcAddrTable)              \
    X(zeGetMemProcAddrTable)                \
    X(zeGetModuleBuildLogProcAddrTable)     \
    X(zeGetPhysicalMemProcAddrTable)        \
    X(zeGetSamplerProcAddrTable)            \
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
EMPTY_TABLES(EMPTY)
