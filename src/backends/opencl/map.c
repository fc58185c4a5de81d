/* SPDX-License-Identifier: MIT */
/* map.c - device memory that is mapped for the host. A memory of kind host stands for the mapped
 * region, so that a check reads and writes through the mapping itself. A mapping stays until its
 * step is submitted again or something else needs the memory. */
#include "backends/opencl/internal.h"

static bool is_to_host(const opencl_step *step)
{
    return step->view == step->desc->dst;
}

kt_status kt_opencl_view_open(opencl_step *step)
{
    const kt_backend_step *desc = step->desc;
    opencl_memory *src = desc->src, *dst = desc->dst, *host = src->host ? src : dst;
    opencl_view *view = &host->view;
    opencl_memory *of = host == src ? dst : src;
    size_t offset = host == src ? desc->dst_offset_bytes : desc->src_offset_bytes;
    if (view->of && (view->of != of || view->offset != offset || view->bytes != desc->copy_bytes))
        return kt_fail(KT_UNSUPPORTED, "a memory of the host can stand for one mapped region only");
    view->of = of;
    view->offset = offset;
    view->bytes = desc->copy_bytes;
    view->step_count++;
    view->writer_count += host == src;
    step->view = host;
    return KT_OK;
}

static kt_status unmap(opencl_memory *memory, cl_command_queue queue, cl_event *event)
{
    opencl_memory *host = memory->mapped_as;
    cl_int code = CL_CODE(memory->device->api, clEnqueueUnmapMemObject, queue, memory->buffer,
                          memory->mapped, 0, NULL, event);
    if (code != CL_SUCCESS)
        return kt_opencl_fail("clEnqueueUnmapMemObject", code);
    if (host)
        host->view.is_read_through = false;
    memory->mapped = NULL;
    memory->mapped_as = NULL;
    return KT_OK;
}

void kt_opencl_view_close(opencl_step *step)
{
    if (!step->view)
        return;
    step->view->view.writer_count -= !is_to_host(step);
    if (--step->view->view.step_count)
        return;
    opencl_memory *of = step->view->view.of;
    if (of->mapped_as == step->view) {
        unmap(of, of->device->queue, NULL);
        of->mapped_as = NULL; /* cleared even if unmap fails: the view may be gone later */
        of->device->api->clFinish(of->device->queue);
    }
    step->view->view = (opencl_view){0};
}

kt_status kt_opencl_release(opencl_memory *memory, cl_command_queue queue, bool writes)
{
    if (!memory->mapped || !(writes || memory->mapped_for & CL_MAP_WRITE))
        return KT_OK;
    return unmap(memory, queue, NULL);
}

/* Enqueues a map. CL_MAP_WRITE_INVALIDATE_REGION is not used: bytes that the host does not write
 * must keep their values, and OpenCL 1.1 has no such flag. */
static kt_status map(opencl_memory *host, cl_command_queue queue, cl_map_flags flags,
                     cl_event *event)
{
    const opencl_view *view = &host->view;
    opencl_memory *of = view->of;
    kt_status status = kt_opencl_release(of, queue, true);
    if (status != KT_OK)
        return status;
    cl_int code = OPENCL_FAULT;
    void *mapped = CL_OBJECT(of->device->api, clEnqueueMapBuffer, queue, of->buffer, CL_FALSE,
                             flags, view->offset, view->bytes, 0, NULL, event, &code);
    if (!mapped)
        return kt_opencl_fail("clEnqueueMapBuffer", code);
    of->mapped = mapped;
    of->mapped_as = host;
    of->mapped_for = flags;
    return KT_OK;
}

static bool is_mapped_for_writing(const opencl_memory *host)
{
    const opencl_memory *of = host->view.of;
    return of->mapped_as == host && of->mapped_for & CL_MAP_WRITE;
}

kt_status kt_opencl_map_for_writing(opencl_memory *host, int64_t timeout_ns)
{
    if (is_mapped_for_writing(host))
        return KT_OK;
    cl_event event = NULL;
    kt_status status = map(host, host->device->queue, CL_MAP_WRITE, &event);
    if (status != KT_OK)
        return status;
    status = kt_opencl_finish_transfer(host->device, "clEnqueueMapBuffer", CL_SUCCESS, event,
                                       timeout_ns);
    if (status != KT_OK) /* the mapped address is not valid */
        host->view.of->mapped_for = 0;
    return status;
}

kt_status kt_opencl_enqueue_map(const opencl_step *step, cl_command_queue queue, cl_event *event)
{
    opencl_memory *host = step->view;
    if (is_to_host(step))
        return map(host, queue, CL_MAP_READ, event);
    /* If the region is not mapped for writing, the host wrote nothing since the last unmap. */
    kt_status status = is_mapped_for_writing(host) ? KT_OK : map(host, queue, CL_MAP_WRITE, NULL);
    return status == KT_OK ? unmap(host->view.of, queue, event) : status;
}

void kt_opencl_map_ended(const opencl_step *step)
{
    opencl_memory *host = step->view;
    if (host && is_to_host(step)) /* another step may have unmapped the region since */
        host->view.is_read_through = host->view.of->mapped_as == host;
}
