/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr */
#include "tracers/level_zero/layer.h"

#include "support/alloc.h"
#include "tracers/common/pin.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Set by the launcher if the program is to have the loader's own tracing layer as well. */
#define CHAIN_VARIABLE "KERNTIME_TRACE_ZE_TRACING"
#define LAYER_NAME     "libze_tracing_layer.so.1"

layer_functions layer_next;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_open;

void layer_lock(void)
{
    pthread_mutex_lock(&lock);
}

void layer_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void layer_forget(object_kind kind, const void *handle, void *object)
{
    layer_lock();
    object_remove(kind, handle, object);
    kt_free(object);
    layer_unlock();
}

/* ---- begin and end of the process ---- */

/* Commands in flight belong to the parent; the child must not call the parent's driver. */
static void begin_child(void)
{
    layer_forget_pending();
    layer_unlock();
}

static void end_process(void)
{
    layer_set_pending();
    layer_sweep();
}

static void begin(void)
{
    is_open = tracer_open(TRACE_LEVEL_ZERO);
    if (!is_open)
        return;
    pthread_atfork(layer_lock, layer_unlock, begin_child);
    atexit(end_process);
}

/* ---- the loader's own tracing layer ---- */

static void *own_layer;

/* The loader's own layer lies beside the loader, whose function `caller` is. */
static void find_own_layer(void *caller)
{
    Dl_info info;
    const char *wish = getenv(CHAIN_VARIABLE);
    char path[4096];
    if (own_layer || !wish || strcmp(wish, "1") != 0 || !dladdr(caller, &info) || !info.dli_fname)
        return;
    const char *slash = strrchr(info.dli_fname, '/');
    int folder = slash ? (int)(slash - info.dli_fname) + 1 : 0;
    if (folder > 0 && snprintf(path, sizeof path, "%.*s%s", folder, info.dli_fname, LAYER_NAME) <
                          (int)sizeof path)
        own_layer = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
}

static ze_result_t pass_own_layer(const char *name, void *caller, ze_api_version_t version,
                                  void *table)
{
    find_own_layer(caller);
    if (!own_layer)
        return ZE_RESULT_SUCCESS;
    ze_result_t (*get)(ze_api_version_t, void *);
    void *symbol = dlsym(own_layer, name);
    memcpy(&get, &symbol, sizeof get);
    return symbol ? get(version, table) : ZE_RESULT_SUCCESS;
}

/* ---- tables ---- */

/* Tables with functions of LAYER_HOOKS and LAYER_CALLS: X(name, type). */
#define TABLES(X)                                \
    X(Driver, ze_driver_dditable_t)              \
    X(Device, ze_device_dditable_t)              \
    X(Context, ze_context_dditable_t)            \
    X(CommandQueue, ze_command_queue_dditable_t) \
    X(CommandList, ze_command_list_dditable_t)   \
    X(Fence, ze_fence_dditable_t)                \
    X(EventPool, ze_event_pool_dditable_t)       \
    X(Event, ze_event_dditable_t)                \
    X(EventExp, ze_event_exp_dditable_t)         \
    X(Mem, ze_mem_dditable_t)                    \
    X(Kernel, ze_kernel_dditable_t)

#define TYPE(name, type) typedef type table_##name;
TABLES(TYPE)
#undef TYPE

typedef enum table {
    TABLE_OTHER,
#define NUMBER(name, type) TABLE_##name,
    TABLES(NUMBER)
#undef NUMBER
} table;

typedef void (*any_function)(void);

/* A function of a table. */
typedef struct function {
    table table;
    uint32_t minor; /* of the API that has it */
    size_t offset;
    any_function hook;  /* that takes its place; NULL: it is only called */
    any_function *next; /* where the tracer finds it */
} function;

#define NEXT(name) (any_function *)(void *)&layer_next.name
static const function functions[] = {
#define HOOK(name, field, minor)                                                                 \
    {TABLE_##name, minor, offsetof(table_##name, pfn##field), (any_function)layer_##name##field, \
     NEXT(name##field)},
    LAYER_HOOKS(HOOK)
#undef HOOK
#define CALL(name, field, minor) \
    {TABLE_##name, minor, offsetof(table_##name, pfn##field), NULL, NEXT(name##field)},
        LAYER_CALLS(CALL)
#undef CALL
#define LATER(name, place, minor, parameters)                  \
    {TABLE_CommandList, minor, (place) * sizeof(any_function), \
     (any_function)layer_CommandList##name, NEXT(CommandList##name)},
            LAYER_LATER(LATER)
#undef LATER
};

/* The loader may ask for a table twice. The second time it passes its own functions again. The
 * library of the functions stays loaded: events are read at the end of the process. */
static void take_places(table which, ze_api_version_t version, char *pointers)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        const function *one = &functions[i];
        any_function there;
        const void *address;
        if (one->table != which || version < ZE_MAKE_VERSION(1, one->minor))
            continue;
        memcpy(&there, pointers + one->offset, sizeof there);
        if (!there || there == one->hook)
            continue;
        memcpy(&address, pointers + one->offset, sizeof address);
        tracer_pin(address);
        *one->next = there;
        if (one->hook)
            memcpy(pointers + one->offset, &one->hook, sizeof there);
    }
}

static ze_result_t show(const char *name, table which, void *caller, ze_api_version_t version,
                        void *pointers)
{
    pthread_once(&once, begin);
    if (!pointers)
        return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    ze_result_t code = pass_own_layer(name, caller, version, pointers);
    if (code == ZE_RESULT_SUCCESS && is_open && which != TABLE_OTHER) {
        tracer_pin(caller); /* the loader, which closes its drivers when it is closed */
        take_places(which, version, pointers);
    }
    return code;
}

/* What the loader asks a layer for. It refuses a layer that lacks one, so tables that the tracer
 * leaves alone are here too; they are left as they are. Under other names here, since the header
 * declares them with their types. */
#define SHOW(name, which)                                                             \
    __attribute__((visibility("default")))                                            \
    ze_result_t show_##name(ze_api_version_t version, void *pointers) __asm__(#name); \
    ze_result_t show_##name(ze_api_version_t version, void *pointers)                 \
    {                                                                                 \
        return show(#name, which, __builtin_return_address(0), version, pointers);    \
    }

#define SHOW_TABLE(name, type) SHOW(zeGet##name##ProcAddrTable, TABLE_##name)
#define SHOW_OTHER(name)       SHOW(name, TABLE_OTHER)

#define OTHER_TABLES(X)                           \
    X(zeGetGlobalProcAddrTable)                   \
    X(zeGetDriverExpProcAddrTable)                \
    X(zeGetDeviceExpProcAddrTable)                \
    X(zeGetCommandListExpProcAddrTable)           \
    X(zeGetExecutableGraphProcAddrTable)          \
    X(zeGetFabricEdgeExpProcAddrTable)            \
    X(zeGetFabricVertexExpProcAddrTable)          \
    X(zeGetGraphProcAddrTable)                    \
    X(zeGetImageProcAddrTable)                    \
    X(zeGetImageExpProcAddrTable)                 \
    X(zeGetKernelExpProcAddrTable)                \
    X(zeGetMemExpProcAddrTable)                   \
    X(zeGetModuleProcAddrTable)                   \
    X(zeGetModuleBuildLogProcAddrTable)           \
    X(zeGetPhysicalMemProcAddrTable)              \
    X(zeGetRTASBuilderProcAddrTable)              \
    X(zeGetRTASBuilderExpProcAddrTable)           \
    X(zeGetRTASParallelOperationProcAddrTable)    \
    X(zeGetRTASParallelOperationExpProcAddrTable) \
    X(zeGetSamplerProcAddrTable)                  \
    X(zeGetVirtualMemProcAddrTable)               \
    X(zerGetGlobalProcAddrTable)                  \
    X(zelGetTracerApiProcAddrTable)

TABLES(SHOW_TABLE)
OTHER_TABLES(SHOW_OTHER)

/* ---- functions behind no table ---- */

ze_result_t layer_DriverGetExtensionFunctionAddress(ze_driver_handle_t driver, const char *name,
                                                    void **out)
{
    ze_result_t code = layer_next.DriverGetExtensionFunctionAddress(driver, name, out);
    const char *append = name ? strstr(name, "CommandListAppend") : NULL;
    if (code == ZE_RESULT_SUCCESS && append &&
        (strstr(append, "Kernel") || strstr(append, "Copy") || strstr(append, "Fill"))) {
        char clause[128];
        snprintf(clause, sizeof clause, "%.100s is not traced", name);
        tracer_gap(clause, 0);
    }
    return code;
}
