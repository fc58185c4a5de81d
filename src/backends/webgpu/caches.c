/* SPDX-License-Identifier: MIT */
/*
 * caches.c - empties the caches: a kernel modifies a buffer larger than all of them. A kernel does
 * it because kernels under test run on the same compute units.
 */
#include "backends/flush.h"
#include "backends/webgpu/internal.h"

#define LINE_BYTES 16
#define GROUPS     2048
static const uint32_t group_size[3] = {128, 1, 1}; /* every WebGPU device allows groups of 128 */

/* Source of the flush kernel. Each work-item modifies 16 bytes, then its next 16 bytes. */
static const char text[] =
    "@group(0) @binding(0) var<storage, read_write> lines: array<vec4<u32>>;\n"
    "@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)\n"
    "fn flush(@builtin(global_invocation_id) id: vec3<u32>,\n"
    "         @builtin(num_workgroups) groups: vec3<u32>) {\n"
    "  for (var i = id.x; i < arrayLength(&lines); i += groups.x * kt_group_x) {\n"
    "    lines[i] += vec4<u32>(1u);\n"
    "  }\n"
    "}\n";

static kt_status prepare(webgpu_device *d)
{
    webgpu_caches *c = &d->caches;
    WGPUConstantEntry constants[3];
    size_t bytes = kt_flush_bytes(d->info, 0, LINE_BYTES); /* WebGPU reports no cache sizes */
    kt_status status = kt_webgpu_buffer_create(d, WGPUBufferUsage_Storage, bytes, &c->buffer);
    if (status == KT_OK)
        status = kt_webgpu_module_create(d, text, sizeof text - 1, "flush", &c->module);
    if (status == KT_OK)
        status = kt_webgpu_pipeline_create(d, c->module, "flush", constants, 0, group_size,
                                           KT_DRIVER_ERROR, &c->pipeline);
    const webgpu_binding lines = {.buffer = c->buffer};
    const webgpu_arguments_desc desc = {
        .entry = "flush", .bindings = &lines, .binding_count = 1, .group_count = 1};
    if (status == KT_OK)
        status = kt_webgpu_arguments_create(d, c->pipeline, &desc, &c->arguments);
    c->ready = status == KT_OK;
    if (!c->ready)
        kt_webgpu_caches_fini(d);
    return status;
}

static kt_status submit(webgpu_device *d)
{
    const webgpu_api *api = d->api;
    static const WGPUComputePassDescriptor plain = {0};
    WGPUCommandEncoder encoder =
        WEBGPU_CALL(api, wgpuDeviceCreateCommandEncoder, NULL, d->device, NULL);
    if (!encoder)
        return kt_fail(KT_DRIVER_ERROR, "wgpuDeviceCreateCommandEncoder gives nothing");
    WGPUComputePassEncoder pass =
        WEBGPU_CALL(api, wgpuCommandEncoderBeginComputePass, NULL, encoder, &plain);
    kt_status status = KT_OK;
    if (pass) {
        WEBGPU_DO(d, wgpuComputePassEncoderSetPipeline, pass, d->caches.pipeline);
        WEBGPU_DO(d, wgpuComputePassEncoderSetBindGroup, pass, 0, d->caches.arguments.groups[0], 0,
                  NULL);
        WEBGPU_DO(d, wgpuComputePassEncoderDispatchWorkgroups, pass, GROUPS, 1, 1);
        api->wgpuComputePassEncoderEnd(pass);
        api->wgpuComputePassEncoderRelease(pass);
        status = kt_webgpu_submit(d, encoder);
    } else {
        status = kt_fail(KT_DRIVER_ERROR, "wgpuCommandEncoderBeginComputePass gives nothing");
    }
    api->wgpuCommandEncoderRelease(encoder);
    return status;
}

kt_status kt_webgpu_job_flush_caches(void *job, int64_t timeout_ns)
{
    webgpu_device *d = ((webgpu_job *)job)->device;
    kt_mutex_lock(d->mutex);
    kt_status status = d->caches.ready ? KT_OK : prepare(d);
    if (status == KT_OK)
        status = submit(d);
    if (status == KT_OK)
        status = kt_webgpu_wait_for_work(d, kt_webgpu_work_done(d), timeout_ns);
    kt_mutex_unlock(d->mutex);
    return status;
}

void kt_webgpu_caches_fini(webgpu_device *device)
{
    webgpu_caches *c = &device->caches;
    kt_webgpu_arguments_destroy(device, &c->arguments);
    if (c->pipeline)
        device->api->wgpuComputePipelineRelease(c->pipeline);
    if (c->module)
        device->api->wgpuShaderModuleRelease(c->module);
    if (c->buffer)
        device->api->wgpuBufferRelease(c->buffer);
    *c = (webgpu_caches){0};
}
