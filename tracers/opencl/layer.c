/* layer.c - the entry points that the loader looks for. */
#define _GNU_SOURCE /* dladdr */
#include "layer.h"

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

void layer_harvest_at_exit(void)
{
    atexit(layer_harvest_all);
}

/* ---- entry points ---- */

EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t bytes, void *out, size_t *used)
{
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    static const char text[] = "kerntime trace";
    const bool is_version = name == CL_LAYER_API_VERSION;
    if (!is_version && name != CL_LAYER_NAME)
        return CL_INVALID_VALUE;
    const size_t needed = is_version ? sizeof version : sizeof text;
    if (out && bytes < needed)
        return CL_INVALID_VALUE;
    if (out)
        memcpy(out, is_version ? (const void *)&version : text, needed);
    if (used)
        *used = needed;
    return CL_SUCCESS;
}

/* Loaders split the list of layers in place, so that only its first entry is left for processes that
 * this one starts. */
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

/* The loader's table may be older and shorter than the one of this header. What is not hooked is
 * the loader's own function. */
EXPORT cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *target,
                                      cl_uint *count_out, const cl_icd_dispatch **table_out)
{
    static cl_icd_dispatch table;
    const size_t entries = sizeof table / sizeof(void *);
    if (!target || !count_out || !table_out)
        return CL_INVALID_VALUE;
    if (count > entries)
        count = (cl_uint)entries;
    memcpy(&layer_next, target, count * sizeof(void *));
    table = layer_next;
    if (tracer_open(TRACE_OPENCL)) {
        stay_in_environment();
        pthread_atfork(layer_lock, layer_unlock, after_fork_in_child);
        layer_hook_queues(&table);
        layer_hook_harvests(&table);
        layer_hook_commands(&table);
        layer_hook_names(&table);
        layer_hook_extensions(&table);
    }
    *count_out = count;
    *table_out = &table;
    return CL_SUCCESS;
}
