/* SPDX-License-Identifier: MIT */
#include "backends/metal/work.h"

#include "support/host_clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char empty_name[] = "kerntime_empty";
static const char empty_text[] = "#include <metal_stdlib>\n"
                                 "kernel void kerntime_empty() {}\n";

kt_status kt_metal_work_init(metal_work *work, const metal_api *api, objc_id device)
{
    objc_id library = NULL;
    work->api = api;
    work->device = device;
    work->queue = metal_new_queue(api, device, METAL_COMMANDS_MAX);
    if (!work->queue)
        return kt_metal_fail_nil("newCommandQueueWithMaxCommandBufferCount:");
    kt_status status = kt_metal_library_create(api, device, empty_text, sizeof empty_text - 1,
                                               empty_name, &library);
    if (status == KT_OK)
        status = kt_metal_pipeline_create(api, device, library, empty_name, NULL, &work->empty);
    metal_release(api, library);
    return kt_metal_own_failure(status);
}

void kt_metal_work_fini(metal_work *work)
{
    if (!work->api)
        return;
    metal_release(work->api, work->empty);
    metal_release(work->api, work->queue);
    *work = (metal_work){0};
}

/* ---- failures ---- */

kt_status kt_metal_fail_nil(const char *message)
{
    return kt_fail(KT_DRIVER_ERROR, "%s gives nothing", message);
}

kt_status kt_metal_own_failure(kt_status status)
{
    if (status != KT_BUILD_FAILED && status != KT_INVALID)
        return status;
    char text[512]; /* includes the compiler's message */
    snprintf(text, sizeof text, "%s", kt_error_text());
    return kt_fail(KT_DRIVER_ERROR, "Metal takes none of kerntime's own kernels: %s", text);
}

/* ---- kernels ---- */

const char *kt_metal_words_of(const metal_api *api, objc_id error)
{
    const char *words = metal_utf8(api, metal_description(api, error));
    return words ? words : "Metal does not say why";
}

static kt_status fail_to_build(const metal_api *api, objc_id error, const char *entry)
{
    return kt_fail(KT_BUILD_FAILED, "kernel %s does not compile:\n%s", entry,
                   kt_metal_words_of(api, error));
}

/* initWithBytes consumes the allocated object, even when it returns nil. */
objc_id kt_metal_text_create(const metal_api *api, const char *bytes, size_t count)
{
    objc_id room = metal_alloc_object(api, api->text_class);
    if (!kt_fault(KT_FAULT_DRIVER, "initWithBytes:length:encoding:"))
        return metal_init_text(api, room, bytes, count, METAL_UTF8);
    metal_release(api, room);
    return NULL;
}

static kt_status compile(const metal_api *api, objc_id device, objc_id text, const char *entry,
                         objc_id *out)
{
    objc_id error = NULL;
    objc_id options = metal_new_object(api, api->options_class);
    if (!options)
        return kt_metal_fail_nil("new of MTLCompileOptions");
    /* macOS 15 adds mathMode, but mathMode alone leaves sin, exp and the like fast. */
    metal_set_fast_math(api, options, 0);
    *out = metal_new_library(api, device, text, options, &error);
    metal_release(api, options);
    return *out ? KT_OK : fail_to_build(api, error, entry);
}

kt_status kt_metal_library_create(const metal_api *api, objc_id device, const char *source,
                                  size_t source_bytes, const char *entry, objc_id *out)
{
    objc_id text = kt_metal_text_create(api, source, source_bytes);
    if (!text)
        return kt_fail(KT_BUILD_FAILED, "kernel %s: its source is no text in UTF-8", entry);
    kt_status status = compile(api, device, text, entry, out);
    metal_release(api, text);
    return status;
}

kt_status kt_metal_pipeline_create(const metal_api *api, objc_id device, objc_id library,
                                   const char *entry, objc_id *reflection, objc_id *out)
{
    objc_id error = NULL;
    kt_status status = KT_OK;
    objc_id name = kt_metal_text_create(api, entry, strlen(entry));
    objc_id function = name ? metal_new_function(api, library, name) : NULL;
    if (!function) {
        status = kt_fail(KT_INVALID, "the source has no kernel %s", entry);
    } else if (metal_function_type(api, function) != METAL_FUNCTION_KERNEL) {
        status =
            kt_fail(KT_INVALID, "the source has no kernel %s: that function is no kernel", entry);
    } else {
        *out = reflection ? metal_new_reflected_pipeline(api, device, function,
                                                         METAL_REFLECT | METAL_REFLECT_TYPES,
                                                         reflection, &error)
                          : metal_new_pipeline(api, device, function, &error);
        status = *out ? KT_OK
                      : kt_fail(KT_BUILD_FAILED, "kernel %s compiles, but has no pipeline:\n%s",
                                entry, kt_metal_words_of(api, error));
    }
    metal_release(api, function);
    metal_release(api, name);
    return status;
}

/* ---- command buffers ---- */

kt_status kt_metal_commands_create(const metal_api *api, objc_id queue, objc_id *out)
{
    objc_id commands = metal_command_buffer(api, queue);
    if (!commands)
        return kt_metal_fail_nil("commandBuffer");
    *out = metal_retain(api, commands);
    return KT_OK;
}

/* Drivers use error domains of their own, where the same codes mean something else. */
static kt_status status_of(const metal_api *api, objc_id error)
{
    const char *domain = metal_utf8(api, metal_domain(api, error));
    if (!domain || strcmp(domain, "MTLCommandBufferErrorDomain") != 0)
        return KT_DRIVER_ERROR;
    switch (metal_code(api, error)) {
    case METAL_NO_MEMORY: return KT_NO_MEMORY;
    case METAL_ACCESS_REVOKED:
    case METAL_DEVICE_REMOVED: return KT_DEVICE_LOST;
    default: return KT_DRIVER_ERROR;
    }
}

kt_status kt_metal_fail_ended(const metal_api *api, objc_id commands)
{
    objc_id error = metal_error(api, commands);
    return kt_fail(status_of(api, error), "the command buffer failed: %s",
                   kt_metal_words_of(api, error));
}

kt_status kt_metal_wait(const metal_api *api, objc_id commands, int64_t timeout_ns)
{
    int64_t begin_ns = kt_host_now_ns();
    size_t status;
    while ((status = metal_status(api, commands)) < METAL_COMPLETED)
        if (kt_host_now_ns() - begin_ns >= timeout_ns)
            return kt_fail_timeout(timeout_ns);
    if (status == METAL_FAILED || kt_fault(KT_FAULT_DRIVER, "status"))
        return kt_metal_fail_ended(api, commands);
    return KT_OK;
}

/* Converts Metal's seconds to ns. They are doubles: exact to 2 ns on a host that has been up for
 * 100 days. */
static uint64_t ns_of(double seconds)
{
    return seconds > 0 && seconds < 9e9 ? (uint64_t)llround(seconds * 1e9) : 0;
}

bool kt_metal_commands_times(const metal_api *api, objc_id commands, uint64_t *start_ns,
                             uint64_t *end_ns)
{
    if (!METAL_KNOWS(api, commands, gpu_start) || !METAL_KNOWS(api, commands, gpu_end))
        return false;
    *start_ns = ns_of(metal_gpu_start(api, commands));
    *end_ns = ns_of(metal_gpu_end(api, commands));
    return *start_ns != 0 && *end_ns != 0;
}

/* ---- passes ---- */

static objc_id describe_pass(const metal_api *api, bool copies, const metal_timestamps *timestamps)
{
    objc_id pass = copies ? metal_blit_pass(api, api->blit_pass_class)
                          : metal_compute_pass(api, api->compute_pass_class);
    objc_id attachment = metal_attachment_at(api, metal_attachments(api, pass), 0);
    if (!attachment)
        return NULL;
    metal_set_sample_buffer(api, attachment, timestamps->buffer);
    metal_set_start_index(api, attachment, timestamps->first);
    metal_set_end_index(api, attachment, timestamps->first + 1);
    return pass;
}

static kt_status begin_stage(const metal_api *api, objc_id commands, bool copies,
                             const metal_timestamps *timestamps, objc_id *encoder)
{
    objc_id pass = describe_pass(api, copies, timestamps);
    if (!pass)
        return kt_metal_fail_nil(copies ? "objectAtIndexedSubscript: of blitPassDescriptor's "
                                          "sampleBufferAttachments"
                                        : "objectAtIndexedSubscript: of computePassDescriptor's "
                                          "sampleBufferAttachments");
    *encoder = copies ? metal_blit_encoder_with(api, commands, pass)
                      : metal_compute_encoder_with(api, commands, pass);
    return *encoder ? KT_OK
                    : kt_metal_fail_nil(copies ? "blitCommandEncoderWithDescriptor:"
                                               : "computeCommandEncoderWithDescriptor:");
}

static kt_status begin_plain(const metal_api *api, objc_id commands, bool copies, objc_id *encoder)
{
    *encoder = copies ? metal_blit_encoder(api, commands) : metal_compute_encoder(api, commands);
    return *encoder ? KT_OK
                    : kt_metal_fail_nil(copies ? "blitCommandEncoder" : "computeCommandEncoder");
}

kt_status kt_metal_pass_begin(const metal_api *api, objc_id commands, bool copies,
                              const metal_timestamps *timestamps, objc_id *encoder)
{
    kt_status status = timestamps->strategy == METAL_BY_STAGE
                           ? begin_stage(api, commands, copies, timestamps, encoder)
                           : begin_plain(api, commands, copies, encoder);
    if (status != KT_OK)
        return status;
    if (timestamps->waits)
        metal_wait_for_fence(api, *encoder, timestamps->fence);
    /* As the first command of a blit encoder, this call crashes AMD's driver of macOS 10.15. That
     * system lacks supportsCounterSampling:, so the trial never selects samples there. */
    if (timestamps->strategy == METAL_BY_BOUNDARY)
        metal_sample_counters(api, *encoder, timestamps->buffer, timestamps->first, 1);
    return KT_OK;
}

void kt_metal_pass_end(const metal_api *api, objc_id encoder, const metal_timestamps *timestamps)
{
    if (timestamps->strategy == METAL_BY_BOUNDARY)
        metal_sample_counters(api, encoder, timestamps->buffer, timestamps->first + 1, 1);
    if (timestamps->fence)
        metal_update_fence(api, encoder, timestamps->fence);
    metal_end_encoding(api, encoder);
}

void kt_metal_encode_empty(const metal_work *work, objc_id encoder)
{
    const metal_size one = {1, 1, 1};
    metal_set_pipeline(work->api, encoder, work->empty);
    metal_dispatch(work->api, encoder, one, one);
}

/* ---- a pass that is waited for ---- */

kt_status kt_metal_single_begin(const metal_work *work, bool copies,
                                const metal_timestamps *timestamps, metal_single *out)
{
    *out = (metal_single){0};
    kt_status status = kt_metal_commands_create(work->api, work->queue, &out->commands);
    if (status != KT_OK)
        return status;
    if (timestamps->strategy != METAL_BY_COMMANDS)
        kt_metal_keep(&work->api->objc, out->commands, timestamps->buffer);
    return kt_metal_pass_begin(work->api, out->commands, copies, timestamps, &out->encoder);
}

kt_status kt_metal_single_run(const metal_work *work, const metal_timestamps *timestamps,
                              const metal_single *single, int64_t timeout_ns)
{
    kt_metal_pass_end(work->api, single->encoder, timestamps);
    metal_commit(work->api, single->commands);
    return kt_metal_wait(work->api, single->commands, timeout_ns);
}

void kt_metal_single_fini(const metal_work *work, metal_single *single, kt_status status)
{
    if (status != KT_TIMEOUT)
        metal_release(work->api, single->commands);
}
