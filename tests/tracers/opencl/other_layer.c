/* SPDX-License-Identifier: MIT */
/* A layer of somebody else: counts dispatches, and writes the number to the file that
 * KT_OTHER_LAYER names. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static cl_icd_dispatch next;
static _Atomic(unsigned) dispatches;

static cl_int CL_API_CALL count(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                const size_t *offset, const size_t *global, const size_t *local,
                                cl_uint wait_count, const cl_event *waits, cl_event *event)
{
    dispatches++;
    return next.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, wait_count,
                                       waits, event);
}

static void tell(void)
{
    FILE *file = fopen(getenv("KT_OTHER_LAYER"), "w");
    if (!file)
        return;
    fprintf(file, "%u dispatches\n", dispatches);
    fclose(file);
}

EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t bytes, void *out, size_t *used)
{
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    (void)used;
    if (name != CL_LAYER_API_VERSION || !out || bytes < sizeof version)
        return CL_INVALID_VALUE;
    memcpy(out, &version, sizeof version);
    return CL_SUCCESS;
}

EXPORT cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch *target,
                                      cl_uint *entries_out, const cl_icd_dispatch **table_out)
{
    static cl_icd_dispatch table;
    const size_t most = sizeof table / sizeof(void *);
    memcpy(&next, target, (entries < most ? entries : most) * sizeof(void *));
    table.clEnqueueNDRangeKernel = count;
    *entries_out = entries < most ? entries : (cl_uint)most;
    *table_out = &table;
    atexit(tell);
    return CL_SUCCESS;
}
