/* SPDX-License-Identifier: MIT */
#include "backends/opencl/internal.h"
#include "support/alloc.h"

#include <string.h>

/* Maps memory that the driver allocated on the host for good; drivers keep such a buffer pinned. */
static kt_status map_host_memory(opencl_memory *memory, size_t bytes)
{
    opencl_device *d = memory->device;
    cl_int code = OPENCL_FAULT;
    memory->host = CL_OBJECT(d->api, clEnqueueMapBuffer, d->queue, memory->buffer, CL_TRUE,
                             CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &code);
    return memory->host ? KT_OK : kt_opencl_fail("clEnqueueMapBuffer", code);
}

/* Allocates shared memory. A buffer over it serves set-up, checking and copies with device memory:
 * buffer commands do not accept its address as host memory, which the host may not access
 * unmapped. */
static kt_status alloc_shared(opencl_memory *memory, size_t bytes)
{
    opencl_device *d = memory->device;
    memory->svm = CL_OBJECT(d->api, clSVMAlloc, d->context, CL_MEM_READ_WRITE, bytes, 0);
    if (!memory->svm)
        return kt_fail(KT_NO_MEMORY, "clSVMAlloc gives no %zu bytes", bytes);
    return KT_OK;
}

kt_status kt_opencl_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes)
{
    opencl_memory *m = memory;
    opencl_device *d = device;
    m->device = d;
    if (kind == KT_MEMORY_HEAP) {
        m->is_heap = true;
        m->host = kt_alloc_aligned(KT_HEAP_ALIGNMENT, bytes);
        return m->host ? KT_OK : KT_NO_MEMORY;
    }
    kt_status status = kind == KT_MEMORY_SHARED ? alloc_shared(m, bytes) : KT_OK;
    if (status != KT_OK)
        return status;
    cl_mem_flags flags = CL_MEM_READ_WRITE | (kind == KT_MEMORY_HOST     ? CL_MEM_ALLOC_HOST_PTR
                                              : kind == KT_MEMORY_SHARED ? CL_MEM_USE_HOST_PTR
                                                                         : 0);
    cl_int code = OPENCL_FAULT;
    m->buffer = CL_OBJECT(d->api, clCreateBuffer, d->context, flags, bytes, m->svm, &code);
    if (!m->buffer && code == CL_INVALID_BUFFER_SIZE)
        return kt_fail(KT_LIMIT, "the driver does not give %zu bytes in one piece", bytes);
    if (!m->buffer)
        return kt_opencl_fail("clCreateBuffer", code);
    return kind == KT_MEMORY_HOST ? map_host_memory(m, bytes) : KT_OK;
}

void kt_opencl_memory_fini(void *memory)
{
    opencl_memory *m = memory;
    const opencl_api *api = m->device->api;
    if (m->is_heap)
        kt_free(m->host);
    else if (m->host && api->clEnqueueUnmapMemObject(m->device->queue, m->buffer, m->host, 0, NULL,
                                                     NULL) == CL_SUCCESS)
        api->clFinish(m->device->queue);
    if (m->buffer)
        api->clReleaseMemObject(m->buffer);
    if (m->svm) /* no command uses the memory: jobs are gone and transfers ended */
        api->clSVMFree(m->device->context, m->svm);
}

kt_status kt_opencl_finish_transfer(opencl_device *device, const char *call, cl_int code,
                                    cl_event event, int64_t timeout_ns)
{
    if (code != CL_SUCCESS)
        return kt_opencl_fail(call, code);
    code = CL_CODE(device->api, clFlush, device->queue);
    kt_status status = code == CL_SUCCESS
                           ? kt_opencl_wait(device, &device->waiter, event, timeout_ns)
                           : kt_opencl_fail("clFlush", code);
    /* After a failure, wait until the transfer no longer uses the caller's data. */
    if (status != KT_OK && status != KT_TIMEOUT)
        device->api->clFinish(device->queue);
    device->api->clReleaseEvent(event);
    return status;
}

/* Finds the host address of a memory's byte `offset`; sets *bytes to the contiguous bytes there. */
static const char *find_host(const opencl_memory *m, size_t offset, size_t *bytes)
{
    const opencl_view *view = &m->view;
    if (!view->is_read_through || offset >= view->bytes)
        return (const char *)m->host + offset;
    if (*bytes > view->bytes - offset)
        *bytes = view->bytes - offset;
    return (const char *)view->of->mapped + offset;
}

kt_status kt_opencl_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                                int64_t timeout_ns)
{
    opencl_memory *m = memory;
    for (size_t done = 0, part; m->host && done < bytes; done += part) {
        part = bytes - done;
        const char *from = find_host(m, offset + done, &part);
        memcpy((char *)data + done, from, part);
    }
    if (m->host)
        return KT_OK;
    kt_status status = kt_opencl_release(m, m->device->queue, false);
    if (status != KT_OK)
        return status;
    cl_event event = NULL;
    cl_int code = CL_CODE(m->device->api, clEnqueueReadBuffer, m->device->queue, m->buffer,
                          CL_FALSE, offset, bytes, data, 0, NULL, &event);
    return kt_opencl_finish_transfer(m->device, "clEnqueueReadBuffer", code, event, timeout_ns);
}

/* Writes host memory, and the mapped region that it stands for. */
static kt_status write_host(opencl_memory *m, size_t offset, const void *data, size_t bytes,
                            int64_t timeout_ns)
{
    opencl_view *view = &m->view;
    memcpy((char *)m->host + offset, data, bytes);
    view->is_read_through = false; /* host memory is read directly until the next map */
    if (view->writer_count == 0 || offset >= view->bytes)
        return KT_OK;
    kt_status status = kt_opencl_map_for_writing(m, timeout_ns);
    if (status == KT_OK)
        memcpy((char *)view->of->mapped + offset, data,
               bytes < view->bytes - offset ? bytes : view->bytes - offset);
    return status;
}

kt_status kt_opencl_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                                 int64_t timeout_ns)
{
    opencl_memory *m = memory;
    if (m->host)
        return write_host(m, offset, data, bytes, timeout_ns);
    kt_status status = kt_opencl_release(m, m->device->queue, true);
    if (status != KT_OK)
        return status;
    cl_event event = NULL;
    cl_int code = CL_CODE(m->device->api, clEnqueueWriteBuffer, m->device->queue, m->buffer,
                          CL_FALSE, offset, bytes, data, 0, NULL, &event);
    return kt_opencl_finish_transfer(m->device, "clEnqueueWriteBuffer", code, event, timeout_ns);
}
