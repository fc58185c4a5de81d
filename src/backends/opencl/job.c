/* SPDX-License-Identifier: MIT */
#include "backends/kernel.h"
#include "backends/opencl/internal.h"
#include "support/alloc.h"

#include <string.h>

/* ---- making a job ---- */

static const char empty_source[] = "__kernel void kt_empty(void) {}";

/* Makes a buffer of the part of a memory, which the step owns. */
static kt_status create_part(opencl_job *job, opencl_step *step, uint32_t index)
{
    const kt_backend_arg *arg = &step->desc->args[index];
    const opencl_memory *memory = arg->memory;
    const cl_buffer_region region = {arg->memory_offset, arg->memory_bytes};
    cl_int code = OPENCL_FAULT;
    if (!step->parts)
        step->parts = kt_alloc(step->desc->arg_count, sizeof *step->parts);
    if (!step->parts)
        return KT_NO_MEMORY;
    step->parts[index] = CL_OBJECT(job->device->api, clCreateSubBuffer, memory->buffer,
                                   CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    return step->parts[index] ? KT_OK : kt_opencl_fail("clCreateSubBuffer", code);
}

/* clSetKernelArg() with a size and no value gives local memory. */
static kt_status set_args(opencl_job *job, opencl_step *step)
{
    for (uint32_t i = 0; i < step->desc->arg_count; i++) {
        const kt_backend_arg *arg = &step->desc->args[i];
        const opencl_memory *memory = arg->memory;
        if (memory && memory->host)
            return kt_fail(
                KT_UNSUPPORTED,
                "argument %u: OpenCL kernels take device or shared memory, not heap or host", i);
        bool is_shared = memory && memory->svm, is_part = memory && !is_shared && arg->memory_bytes;
        kt_status status = is_part ? create_part(job, step, i) : KT_OK;
        if (status != KT_OK)
            return status;
        cl_int code = is_shared ? CL_CODE(job->device->api, clSetKernelArgSVMPointer, step->kernel,
                                          i, (char *)memory->svm + arg->memory_offset)
                      : memory
                          ? CL_CODE(job->device->api, clSetKernelArg, step->kernel, i,
                                    sizeof(cl_mem), is_part ? &step->parts[i] : &memory->buffer)
                          : CL_CODE(job->device->api, clSetKernelArg, step->kernel, i,
                                    arg->value_bytes, arg->value);
        if (code != CL_SUCCESS)
            return kt_fail(KT_INVALID, "argument %u: clSetKernelArg%s failed: %s (%d)", i,
                           is_shared ? "SVMPointer" : "", kt_opencl_code_name(code), (int)code);
    }
    return KT_OK;
}

static kt_status prepare_kernel(opencl_job *job, opencl_step *step)
{
    const kt_backend_step *desc = step->desc;
    cl_program program = job->empty_program;
    const char *entry = "kt_empty";
    if (desc->kind == KT_STEP_DISPATCH) {
        const opencl_program *p = desc->program;
        program = p->program;
        entry = p->entry;
    }
    kt_status status = kt_opencl_kernel_create(job->device, program, entry, &step->kernel);
    if (status == KT_OK && desc->local_bytes)
        status = kt_check_local(desc, entry, kt_opencl_local_bytes(job->device, step->kernel),
                                job->device->info->local_memory_bytes);
    if (status != KT_OK)
        return status;
    for (int i = 0; i < 3; i++) {
        step->local[i] = step->desc->group_size[i];
        step->global[i] = (size_t)step->desc->groups[i] * step->desc->group_size[i];
    }
    return set_args(job, step);
}

static kt_status prepare_step(opencl_job *job, opencl_step *step)
{
    const kt_backend_step *desc = step->desc;
    if (desc->kind == KT_STEP_EMPTY && !job->empty_program) {
        kt_status status = kt_opencl_build(job->device, empty_source, sizeof empty_source - 1, NULL,
                                           "kt_empty", &job->empty_program);
        if (status != KT_OK)
            return status;
    }
    return desc->kind == KT_STEP_COPY  ? KT_OK
           : desc->kind == KT_STEP_MAP ? kt_opencl_view_open(step)
                                       : prepare_kernel(job, step);
}

static kt_status create_queue(opencl_job *job, cl_command_queue_properties properties,
                              cl_command_queue *out)
{
    cl_int code = OPENCL_FAULT;
    *out = CL_OBJECT(job->device->api, clCreateCommandQueue, job->device->context, job->device->id,
                     properties, &code);
    return *out ? KT_OK : kt_opencl_fail("clCreateCommandQueue", code);
}

kt_status kt_opencl_job_init(void *job, void *device, const kt_backend_job *desc)
{
    opencl_job *j = job;
    j->device = device;
    j->steps = kt_alloc(desc->step_count, sizeof *j->steps);
    if (!j->steps)
        return KT_NO_MEMORY;
    j->step_count = desc->step_count;
    kt_status status = kt_opencl_waiter_init(&j->waiter);
    if (status == KT_OK)
        status = create_queue(j, 0, &j->queue);
    if (status == KT_OK)
        status = create_queue(j, CL_QUEUE_PROFILING_ENABLE, &j->profiled_queue);
    for (uint32_t i = 0; i < desc->step_count && status == KT_OK; i++) {
        j->steps[i].desc = &desc->steps[i];
        status = prepare_step(j, &j->steps[i]);
    }
    return status;
}

static void release_events(opencl_job *job)
{
    const opencl_api *api = job->device->api;
    for (uint32_t i = 0; i < job->step_count; i++) {
        opencl_step *step = &job->steps[i];
        for (size_t e = 0; e < step->event_count; e++)
            if (step->events[e])
                api->clReleaseEvent(step->events[e]);
        step->event_count = 0;
    }
    if (job->done && job->done_is_own)
        api->clReleaseEvent(job->done);
    job->done = NULL;
}

void kt_opencl_job_fini(void *job)
{
    opencl_job *j = job;
    const opencl_api *api = j->device->api;
    /* Commands of a failed submission may still run and use memory that is freed next. */
    if (j->in_flight) {
        api->clFinish(j->queue);
        api->clFinish(j->profiled_queue);
    }
    release_events(j);
    for (uint32_t i = 0; i < j->step_count; i++) {
        if (j->steps[i].kernel)
            api->clReleaseKernel(j->steps[i].kernel);
        for (uint32_t k = 0; j->steps[i].parts && k < j->steps[i].desc->arg_count; k++)
            if (j->steps[i].parts[k])
                api->clReleaseMemObject(j->steps[i].parts[k]);
        kt_free(j->steps[i].parts);
        kt_opencl_view_close(&j->steps[i]);
        kt_free(j->steps[i].events);
    }
    if (j->empty_program)
        api->clReleaseProgram(j->empty_program);
    if (j->queue)
        api->clReleaseCommandQueue(j->queue);
    if (j->profiled_queue)
        api->clReleaseCommandQueue(j->profiled_queue);
    kt_opencl_waiter_fini(&j->waiter);
    kt_free(j->steps);
}

/* ---- submitting ---- */

/* Host address of host or shared memory; NULL for device memory. */
static char *address_of(const opencl_memory *memory)
{
    return memory->svm ? memory->svm : memory->host;
}

static cl_int enqueue_copy(const opencl_api *api, cl_command_queue queue,
                           const kt_backend_step *desc, cl_event *event, const char **call)
{
    const opencl_memory *src = desc->src, *dst = desc->dst;
    if (address_of(src) && address_of(dst)) { /* the source or the destination is shared memory */
        *call = "clEnqueueSVMMemcpy";
        return CL_CODE(api, clEnqueueSVMMemcpy, queue, CL_FALSE,
                       address_of(dst) + desc->dst_offset_bytes,
                       address_of(src) + desc->src_offset_bytes, desc->copy_bytes, 0, NULL, event);
    }
    if (dst->host) {
        *call = "clEnqueueReadBuffer";
        return CL_CODE(api, clEnqueueReadBuffer, queue, src->buffer, CL_FALSE,
                       desc->src_offset_bytes, desc->copy_bytes,
                       (char *)dst->host + desc->dst_offset_bytes, 0, NULL, event);
    }
    if (src->host) {
        *call = "clEnqueueWriteBuffer";
        return CL_CODE(api, clEnqueueWriteBuffer, queue, dst->buffer, CL_FALSE,
                       desc->dst_offset_bytes, desc->copy_bytes,
                       (const char *)src->host + desc->src_offset_bytes, 0, NULL, event);
    }
    *call = "clEnqueueCopyBuffer";
    return CL_CODE(api, clEnqueueCopyBuffer, queue, src->buffer, dst->buffer,
                   desc->src_offset_bytes, desc->dst_offset_bytes, desc->copy_bytes, 0, NULL,
                   event);
}

/* Unmaps memory that a map of another step, or of the previous submission, has left mapped. */
static kt_status release_memories(const kt_backend_step *desc, cl_command_queue queue)
{
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < desc->arg_count && status == KT_OK; i++)
        if (desc->args[i].memory)
            status = kt_opencl_release(desc->args[i].memory, queue, true);
    if (status == KT_OK && desc->kind == KT_STEP_COPY)
        status = kt_opencl_release(desc->src, queue, false);
    if (status == KT_OK && desc->kind == KT_STEP_COPY)
        status = kt_opencl_release(desc->dst, queue, true);
    return status;
}

/* Enqueues one kernel, copy or map; `event` may be NULL. */
static kt_status enqueue(opencl_job *job, cl_command_queue queue, const opencl_step *step,
                         cl_event *event)
{
    if (step->desc->kind == KT_STEP_MAP)
        return kt_opencl_enqueue_map(step, queue, event);
    const char *call = "clEnqueueNDRangeKernel";
    cl_int code = step->desc->kind == KT_STEP_COPY
                      ? enqueue_copy(job->device->api, queue, step->desc, event, &call)
                      : CL_CODE(job->device->api, clEnqueueNDRangeKernel, queue, step->kernel, 3,
                                NULL, step->global, step->local, 0, NULL, event);
    return code == CL_SUCCESS ? KT_OK : kt_opencl_fail(call, code);
}

/* Clears the events of a timestamped submission: one of each trial, or of the first and the last. */
static kt_status make_events(const opencl_job *job, opencl_step *step, uint32_t trials)
{
    size_t count = job->device->maps_each_event || trials == 1 ? trials : 2;
    cl_event *events = kt_make_room(step->events, &step->event_room, count, sizeof(cl_event));
    if (!events)
        return KT_NO_MEMORY;
    step->events = events;
    step->event_count = count;
    memset(events, 0, count * sizeof *events);
    return KT_OK;
}

static cl_event last_event(const opencl_step *step)
{
    return step->events[step->event_count - 1];
}

/* Enqueues all trials of a step. If not timestamped, the last step keeps its last event in
 * job->done. */
static kt_status enqueue_step(opencl_job *job, cl_command_queue queue, opencl_step *step,
                              bool timestamped, bool is_last, uint32_t trials)
{
    kt_status status = release_memories(step->desc, queue);
    if (status == KT_OK && timestamped)
        status = make_events(job, step, trials);
    for (uint32_t t = 0; t < trials && status == KT_OK; t++) {
        bool ends = t + 1 == trials;
        cl_event *event = NULL;
        if (timestamped && ends)
            event = &step->events[step->event_count - 1];
        else if (timestamped && t + 1 < step->event_count)
            event = &step->events[t];
        else if (!timestamped && is_last && ends)
            event = &job->done;
        status = enqueue(job, queue, step, event);
    }
    return status;
}

kt_status kt_opencl_job_submit(void *job, bool timestamped, uint32_t trials)
{
    opencl_job *j = job;
    release_events(j);
    j->in_flight = true;
    cl_command_queue queue = timestamped ? j->profiled_queue : j->queue;
    for (uint32_t i = 0; i < j->step_count; i++) {
        kt_status status =
            enqueue_step(j, queue, &j->steps[i], timestamped, i + 1 == j->step_count, trials);
        if (status != KT_OK)
            return status;
    }
    j->done_is_own = !timestamped;
    if (timestamped)
        j->done = last_event(&j->steps[j->step_count - 1]);
    cl_int code = CL_CODE(j->device->api, clFlush, queue);
    return code == CL_SUCCESS ? KT_OK : kt_opencl_fail("clFlush", code);
}

kt_status kt_opencl_job_wait(void *job, int64_t timeout_ns)
{
    opencl_job *j = job;
    kt_status status = kt_opencl_wait(j->device, &j->waiter, j->done, timeout_ns);
    j->in_flight = status != KT_OK;
    for (uint32_t i = 0; i < j->step_count && status == KT_OK; i++)
        kt_opencl_map_ended(&j->steps[i]);
    return status;
}

/* ---- timestamps ---- */

kt_timestamp_state kt_opencl_read_event(const opencl_api *api, cl_event event, cl_ulong ticks[4])
{
    static const cl_profiling_info what[4] = {CL_PROFILING_COMMAND_QUEUED,
                                              CL_PROFILING_COMMAND_SUBMIT,
                                              CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
    for (int i = 0; i < 4; i++) {
        ticks[i] = 0; /* some drivers return success and write no time */
        cl_int code =
            CL_CODE(api, clGetEventProfilingInfo, event, what[i], sizeof ticks[i], &ticks[i], NULL);
        if (code == CL_PROFILING_INFO_NOT_AVAILABLE)
            return KT_TIMESTAMP_NOT_READY;
        if (code != CL_SUCCESS)
            return KT_TIMESTAMP_ERROR;
    }
    if ((ticks[0] | ticks[1] | ticks[2] | ticks[3]) == 0)
        return KT_TIMESTAMP_ZERO;
    return ticks[3] < ticks[2] ? KT_TIMESTAMP_NEGATIVE : KT_TIMESTAMP_OK;
}

static void read_step(const opencl_device *device, const opencl_step *step, kt_timestamp *timestamp)
{
    cl_ulong first[4] = {0}, last[4] = {0}, sum = 0;
    timestamp->state = KT_TIMESTAMP_OK;
    for (size_t i = 0; i < step->event_count && timestamp->state == KT_TIMESTAMP_OK; i++) {
        timestamp->state = kt_opencl_read_event(device->api, step->events[i], last);
        if (i == 0)
            memcpy(first, last, sizeof first);
        sum += last[3] - last[2];
    }
    /* Some drivers read these two from the host's clock, and then they may lie after the start. */
    timestamp->has_queue_timestamps = first[0] <= first[1] && first[1] <= first[2];
    timestamp->queued_ticks = first[0];
    timestamp->submitted_ticks = first[1];
    timestamp->start_ticks = first[2];
    timestamp->end_ticks = device->maps_each_event ? first[2] + sum : last[3];
}

kt_status kt_opencl_job_read(void *job, kt_timestamp *timestamps)
{
    const opencl_job *j = job;
    for (uint32_t i = 0; i < j->step_count; i++)
        read_step(j->device, &j->steps[i], &timestamps[i]);
    return KT_OK;
}
