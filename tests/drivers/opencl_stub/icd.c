/* SPDX-License-Identifier: MIT */
/* The face for loaders: a table of functions, which each handle begins with. */
#include "stub.h"

#include <CL/cl_icd.h>

static void *extension_of(cl_platform_id platform, const char *name)
{
    return clGetExtensionFunctionAddress(name);
}

/* What the stub lacks stays NULL, and a program that calls it crashes in the loader. */
const struct _cl_icd_dispatch icd_table = {
#define ICD_ENTRY(name) .name = name,
    ENTRY_POINTS(ICD_ENTRY)
#undef ICD_ENTRY
        .clGetExtensionFunctionAddress = clGetExtensionFunctionAddress,
    .clGetExtensionFunctionAddressForPlatform = extension_of,
};

__attribute__((constructor)) static void set_table(void)
{
    objects_table = &icd_table;
}

cl_int clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                              cl_uint *num_platforms)
{
    return clGetPlatformIDs(num_entries, platforms, num_platforms);
}

/* Any command buffer is a marker. */
static cl_int enqueue_command_buffer(cl_uint queue_count, cl_command_queue *queues, void *buffer,
                                     cl_uint wait_count, const cl_event *waits, cl_event *event)
{
    return clEnqueueMarkerWithWaitList(queues[0], wait_count, waits, event);
}

/* Shared memory by its names of Intel's extension, command buffers, and a command that nobody
 * knows. */
void *clGetExtensionFunctionAddress(const char *name)
{
    typedef void (*function)(void);
    static const struct {
        const char *name;
        function function;
    } extensions[] = {
        {"clIcdGetPlatformIDsKHR", (function)clIcdGetPlatformIDsKHR},
        {"clEnqueueMemcpyINTEL", (function)clEnqueueSVMMemcpy},
        {"clEnqueueCommandBufferKHR", (function)enqueue_command_buffer},
        {"clEnqueueNothingKERNTIME", (function)clFlush},
    };
    void *address = NULL;
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (strcmp(name, extensions[i].name) == 0)
            memcpy(&address, &extensions[i].function, sizeof address);
    return address;
}
