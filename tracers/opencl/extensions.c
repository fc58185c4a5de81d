/* SPDX-License-Identifier: MIT */
/* extensions.c - functions that a program asks for by name, and then calls past the layer's table.
 * It gets a wrapper of those that are known here. Of other commands only the name is noted. */
#include "layer.h"

#include <stdio.h>
#include <string.h>

/* X(function, row, bytes, whether it blocks, (parameters), (arguments)), as in commands.c */
#define COMMANDS(X)                                                                              \
    X(clEnqueueMemcpyINTEL, ROW_SVM_COPY, size, blocking,                                        \
      (cl_bool blocking, void *to, const void *from, size_t size), (blocking, to, from, size))   \
    X(clEnqueueMemFillINTEL, ROW_FILL_SVM, size, CL_FALSE,                                       \
      (void *to, const void *pattern, size_t pattern_size, size_t size),                         \
      (to, pattern, pattern_size, size))                                                         \
    X(clEnqueueMemsetINTEL, ROW_FILL_SVM, size, CL_FALSE, (void *to, cl_int value, size_t size), \
      (to, value, size))                                                                         \
    X(clEnqueueMigrateMemINTEL, ROW_MIGRATE, TRACE_BYTES_UNKNOWN, CL_FALSE,                      \
      (const void *memory, size_t size, cl_mem_migration_flags flags), (memory, size, flags))

typedef void (*any_function)(void);

enum {
#define ID(name, ...) ID_##name,
    COMMANDS(ID) ID_clEnqueueCommandBufferKHR,
    ID_clCreateCommandQueueWithPropertiesKHR,
    ID_COUNT
};

/* The driver's functions, set before the program can call a wrapper. */
static _Atomic(any_function) next[ID_COUNT];

static any_function next_of(int id)
{
    return atomic_load_explicit(&next[id], memory_order_acquire);
}

/* ---- wrappers ---- */

#define WRAPPER(name, row, bytes, blocking_, parameters, arguments)                            \
    typedef cl_int(CL_API_CALL *type_##name)(cl_command_queue, LAYER_OPEN parameters, cl_uint, \
                                             const cl_event *, cl_event *);                    \
    LAYER_COMMAND(wrap_##name, ((type_##name)next_of(ID_##name)), row, bytes, blocking_,       \
                  parameters, arguments)
COMMANDS(WRAPPER)

typedef cl_int(CL_API_CALL *type_clEnqueueCommandBufferKHR)(cl_uint, cl_command_queue *, void *,
                                                            cl_uint, const cl_event *, cl_event *);

/* Perhaps only the command buffer knows its queue, so its event is asked afterwards. */
static cl_int CL_API_CALL wrap_clEnqueueCommandBufferKHR(cl_uint queue_count,
                                                         cl_command_queue *queues, void *buffer,
                                                         cl_uint wait_count, const cl_event *waits,
                                                         cl_event *out)
{
    static _Atomic(bool) noted;
    const type_clEnqueueCommandBufferKHR enqueue =
        (type_clEnqueueCommandBufferKHR)next_of(ID_clEnqueueCommandBufferKHR);
    if (!tracer_is_on())
        return enqueue(queue_count, queues, buffer, wait_count, waits, out);
    if (!atomic_exchange(&noted, true))
        tracer_gap("kernels of a command buffer (cl_khr_command_buffer) are timed as one", 0);
    layer_call c = {.timing = tracer_begin(), .out = out};
    tracer_pause(&c.timing);
    const cl_int code = enqueue(queue_count, queues, buffer, wait_count, waits, &c.event);
    c.queue = code == CL_SUCCESS ? layer_queue_of(c.event) : NULL;
    c.row = c.queue ? layer_device_row(c.queue->device, ROW_COMMAND_BUFFER) : NULL;
    if (c.row) {
        c.has_room = layer_has_room(c.queue, &c.refusal);
        c.is_kept = c.has_room && c.queue->has_timestamps;
        layer_end(&c, code, TRACE_BYTES_UNKNOWN, CL_FALSE);
        return code;
    }
    if (code == CL_SUCCESS && out)
        *out = c.event;
    else if (code == CL_SUCCESS)
        layer_next.clReleaseEvent(c.event);
    return code;
}

static cl_command_queue CL_API_CALL wrap_clCreateCommandQueueWithPropertiesKHR(
    cl_context context, cl_device_id device, const cl_queue_properties *properties, cl_int *code)
{
    return layer_create_queue(context, device, properties, code,
                              (layer_create)next_of(ID_clCreateCommandQueueWithPropertiesKHR));
}

/* ---- giving them out ---- */

static const struct {
    const char *name;
    any_function wrapper;
} wrappers[ID_COUNT] = {
#define ROW(function)                            \
    {                                            \
#function, (any_function)wrap_##function \
    }
#define ROW_OF(function, ...) ROW(function),
    COMMANDS(ROW_OF) ROW(clEnqueueCommandBufferKHR),
    ROW(clCreateCommandQueueWithPropertiesKHR),
};

static void note_gap(const char *name)
{
    char clause[160];
    snprintf(clause, sizeof clause, "calls of %s, if there are any, are not traced", name);
    tracer_gap(clause, 0);
}

static any_function function_of(void *address)
{
    any_function function;
    memcpy(&function, &address, sizeof function);
    return function;
}

/* What the program gets in place of the driver's function. A wrapper serves one driver. */
static void *replace(const char *name, void *address)
{
    if (!name || !address)
        return address;
    for (int id = 0; id < ID_COUNT; id++) {
        any_function none = NULL, its = function_of(address);
        if (strcmp(name, wrappers[id].name) != 0)
            continue;
        if (!atomic_compare_exchange_strong(&next[id], &none, its) && none != its)
            break;
        memcpy(&address, &wrappers[id].wrapper, sizeof address);
        return address;
    }
    if (strncmp(name, "clEnqueue", 9) == 0)
        note_gap(name);
    return address;
}

static void *CL_API_CALL hook_clGetExtensionFunctionAddress(const char *name)
{
    return replace(name, layer_next.clGetExtensionFunctionAddress(name));
}

static void *CL_API_CALL hook_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                                       const char *name)
{
    return replace(name, layer_next.clGetExtensionFunctionAddressForPlatform(platform, name));
}

void layer_hook_extensions(cl_icd_dispatch *table)
{
    LAYER_HOOK(table, clGetExtensionFunctionAddress);
    LAYER_HOOK(table, clGetExtensionFunctionAddressForPlatform);
}
