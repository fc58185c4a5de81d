/* SPDX-License-Identifier: MIT */
/* layer.c - the entry points that the loader looks for. */
#define _GNU_SOURCE /* dladdr */
#include "layer.h"

#include "tracers/common/pin.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

cl_icd_dispatch layer_next;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void layer_lock(void)
{
    pthread_mutex_lock(&lock);
}

void layer_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

static void after_fork_in_child(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    layer_forget_all();
}

/* Once, however often a loader comes: a second time would lock twice. A fork() in a signal handler
 * that interrupted the owner of the lock never returns; POSIX.1-2024 allows none there. */
static void watch_forks(void)
{
    static _Atomic(bool) is_watching;
    if (!atomic_exchange(&is_watching, true))
        pthread_atfork(layer_lock, layer_unlock, after_fork_in_child);
}

void layer_harvest_at_exit(void)
{
    atexit(layer_harvest_all);
}

/* ---- entry points ---- */

EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_layer_info param_name, size_t param_value_size,
                                         void *param_value, size_t *param_value_size_ret)
{
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    static const char name[] = "kerntime trace";
    const bool is_version = param_name == CL_LAYER_API_VERSION;
    if (!is_version && param_name != CL_LAYER_NAME)
        return CL_INVALID_VALUE;
    const size_t needed = is_version ? sizeof version : sizeof name;
    if (param_value && param_value_size < needed)
        return CL_INVALID_VALUE;
    if (param_value)
        memcpy(param_value, is_version ? (const void *)&version : name, needed);
    if (param_value_size_ret)
        *param_value_size_ret = needed;
    return CL_SUCCESS;
}

/* Loaders split the list of layers in place, so that only its first entry is left for processes that
 * this one starts. If that is another layer, the list is set anew, which no other thread may read
 * meanwhile: neither may it while the loader splits it. */
static void stay_in_environment(void)
{
    static const char variable[] = "OPENCL_LAYERS";
    char text[8192];
    Dl_info own;
    const char *list = getenv(variable);
    if (!list || !dladdr(&layer_next, &own) || strstr(list, own.dli_fname))
        return;
    int length = snprintf(text, sizeof text, "%s:%s", list, own.dli_fname);
    if (length > 0 && (size_t)length < sizeof text)
        setenv(variable, text, 1);
}

/* Any function may be another layer's, and the last harvest calls some after the program has closed
 * its loader. */
static void pin(const cl_icd_dispatch *target, cl_uint count)
{
    void *functions[sizeof *target / sizeof(void *)];
    memcpy(functions, target, count * sizeof(void *));
    for (cl_uint i = 0; i < count; i++)
        tracer_pin(functions[i]);
}

/* The loader's table may be older and shorter than the one of this header. What is not hooked is
 * the loader's own function. */
EXPORT cl_int CL_API_CALL clInitLayer(cl_uint num_entries, const cl_icd_dispatch *target_dispatch,
                                      cl_uint *num_entries_ret,
                                      const cl_icd_dispatch **layer_dispatch_ret)
{
    static cl_icd_dispatch table;
    const cl_uint most = sizeof table / sizeof(void *);
    const cl_uint count = num_entries < most ? num_entries : most;
    if (!target_dispatch || !num_entries_ret || !layer_dispatch_ret)
        return CL_INVALID_VALUE;
    memcpy(&layer_next, target_dispatch, count * sizeof(void *));
    table = layer_next;
    if (tracer_open(TRACE_OPENCL)) {
        stay_in_environment();
        pin(target_dispatch, count);
        watch_forks();
        layer_hook_queues(&table);
        layer_hook_harvests(&table);
        layer_hook_commands(&table);
        layer_hook_names(&table);
        layer_hook_extensions(&table);
    }
    *num_entries_ret = count;
    *layer_dispatch_ret = &table;
    return CL_SUCCESS;
}

/* Khronos' loaders since January 2026 look for this one alone. */
#ifndef CL_LAYER_PROPERTIES_LIST_END /* older headers */
typedef cl_properties cl_layer_properties;
EXPORT cl_int CL_API_CALL clInitLayerWithProperties(cl_uint num_entries,
                                                    const cl_icd_dispatch *target_dispatch,
                                                    cl_uint *num_entries_ret,
                                                    const cl_icd_dispatch **layer_dispatch_ret,
                                                    const cl_layer_properties *properties);
#endif
EXPORT cl_int CL_API_CALL clInitLayerWithProperties(cl_uint num_entries,
                                                    const cl_icd_dispatch *target_dispatch,
                                                    cl_uint *num_entries_ret,
                                                    const cl_icd_dispatch **layer_dispatch_ret,
                                                    const cl_layer_properties *properties)
{
    (void)properties;
    return clInitLayer(num_entries, target_dispatch, num_entries_ret, layer_dispatch_ret);
}
