/* SPDX-License-Identifier: MIT */
/* caches.c - flushes the caches: a kernel changes a buffer that is larger than all of them. A
 * kernel runs on the compute units that run user kernels; a driver's copy or fill may use an engine
 * without caches. */
#include "backends/flush.h"
#include "backends/opencl/internal.h"

#define LINE_BYTES 64 /* bytes that one work-item changes: a uint16, a vector of 16 uints */
/* Compute units have caches of their own, which drivers do not report; none is this large. */
#define BYTES_PER_UNIT (UINT64_C(2) << 20)

static const char source[] =
    "__kernel void kt_flush(__global uint16 *lines) { lines[get_global_id(0)] += 1; }";

static size_t flush_bytes(const opencl_device *device)
{
    uint64_t reported = kt_opencl_device_number(device->api, device->id,
                                                CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof(cl_ulong));
    uint64_t units = device->info->compute_units * BYTES_PER_UNIT;
    return kt_flush_bytes(device->info, reported > units ? reported : units, LINE_BYTES);
}

kt_status kt_opencl_caches_init(opencl_caches *caches)
{
    return kt_mutex_create(&caches->mutex);
}

void kt_opencl_caches_fini(opencl_caches *caches, const opencl_api *api)
{
    if (caches->kernel)
        api->clReleaseKernel(caches->kernel);
    if (caches->program)
        api->clReleaseProgram(caches->program);
    if (caches->buffer)
        api->clReleaseMemObject(caches->buffer);
    kt_mutex_destroy(caches->mutex);
}

/* Creates the missing objects of the flush; an earlier call may have failed half-way. */
static kt_status prepare(opencl_device *d)
{
    opencl_caches *c = &d->caches;
    cl_int code = OPENCL_FAULT;
    size_t bytes = flush_bytes(d);
    if (!c->buffer)
        c->buffer =
            CL_OBJECT(d->api, clCreateBuffer, d->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (!c->buffer)
        return kt_opencl_fail("clCreateBuffer", code);
    if (c->program) { /* the program's compilation may have failed */
        d->api->clReleaseProgram(c->program);
        c->program = NULL;
    }
    kt_status status = kt_opencl_build(d, source, sizeof source - 1, NULL, "kt_flush", &c->program);
    if (status != KT_OK)
        return status;
    code = OPENCL_FAULT;
    cl_kernel kernel = CL_OBJECT(d->api, clCreateKernel, c->program, "kt_flush", &code);
    if (!kernel)
        return kt_opencl_fail("clCreateKernel", code);
    code = CL_CODE(d->api, clSetKernelArg, kernel, 0, sizeof c->buffer, &c->buffer);
    if (code != CL_SUCCESS) {
        d->api->clReleaseKernel(kernel);
        return kt_opencl_fail("clSetKernelArg", code);
    }
    c->lines = bytes / LINE_BYTES;
    c->kernel = kernel;
    return KT_OK;
}

static kt_status flush(opencl_job *job, int64_t timeout_ns)
{
    opencl_device *d = job->device;
    cl_event event = NULL;
    job->in_flight = true;
    cl_int code = CL_CODE(d->api, clEnqueueNDRangeKernel, job->queue, d->caches.kernel, 1, NULL,
                          &d->caches.lines, NULL, 0, NULL, &event);
    if (code != CL_SUCCESS)
        return kt_opencl_fail("clEnqueueNDRangeKernel", code);
    code = CL_CODE(d->api, clFlush, job->queue);
    kt_status status = code == CL_SUCCESS ? kt_opencl_wait(d, &job->waiter, event, timeout_ns)
                                          : kt_opencl_fail("clFlush", code);
    job->in_flight = status != KT_OK;
    d->api->clReleaseEvent(event);
    return status;
}

kt_status kt_opencl_job_flush_caches(void *job, int64_t timeout_ns)
{
    opencl_job *j = job;
    opencl_caches *caches = &j->device->caches;
    kt_mutex_lock(caches->mutex);
    kt_status status = caches->kernel ? KT_OK : prepare(j->device);
    if (status == KT_OK)
        status = flush(j, timeout_ns);
    kt_mutex_unlock(caches->mutex);
    return status;
}
