#include "work.h"

#include "../../support/host_clock.h"

#include <math.h>
#include <string.h>

static const char empty_name[] = "kerntime_empty";
static const char empty_text[] = "#include <metal_stdlib>\n"
                                 "kernel void kerntime_empty() {}\n";

kt_status metal_work_init(metal_work *work, const metal_api *api, objc_id device)
{
    objc_id library = NULL;
    work->api = api;
    work->device = device;
    work->queue = metal_new_queue(api, device, METAL_COMMANDS_MAX);
    if (!work->queue)
        return kt_fail(KT_DRIVER_ERROR, "Metal makes no command queue");
    kt_status status =
        metal_library_create(api, device, empty_text, sizeof empty_text - 1, empty_name, &library);
    if (status == KT_OK)
        status = metal_pipeline_create(api, device, library, empty_name, &work->empty);
    metal_release(api, library);
    return status;
}

void metal_work_fini(metal_work *work)
{
    if (!work->api)
        return;
    metal_release(work->api, work->empty);
    metal_release(work->api, work->queue);
    *work = (metal_work){0};
}

/* ---- kernels ---- */

static const char *words_of(const metal_api *api, objc_id error)
{
    const char *words = metal_utf8(api, metal_description(api, error));
    return words ? words : "Metal does not say why";
}

static kt_status fail_to_build(const metal_api *api, objc_id error, const char *entry)
{
    return kt_fail(KT_BUILD_FAILED, "kernel %s does not compile:\n%s", entry, words_of(api, error));
}

/* On systems before macOS 15 fast mathematics is on or off. */
static void refuse_fast_math(const metal_api *api, objc_id options)
{
    if (METAL_KNOWS(api, options, set_math_mode))
        metal_set_math_mode(api, options, METAL_MATH_SAFE);
    else
        metal_set_fast_math(api, options, 0);
}

kt_status metal_library_create(const metal_api *api, objc_id device, const char *source,
                               size_t source_bytes, const char *entry, objc_id *out)
{
    objc_id error = NULL;
    kt_status status = KT_OK;
    objc_id text = metal_init_text(api, metal_alloc_object(api, api->text_class), source,
                                   source_bytes, METAL_UTF8);
    if (!text)
        return kt_fail(KT_BUILD_FAILED, "kernel %s: its source is no text in UTF-8",
                       entry);
    objc_id options = metal_new_object(api, api->options_class);
    if (options) {
        refuse_fast_math(api, options);
        *out = metal_new_library(api, device, text, options, &error);
        if (!*out)
            status = fail_to_build(api, error, entry);
    } else {
        status = kt_fail(KT_DRIVER_ERROR, "Metal makes no compile options");
    }
    metal_release(api, options);
    metal_release(api, text);
    return status;
}

kt_status metal_pipeline_create(const metal_api *api, objc_id device, objc_id library,
                                const char *entry, objc_id *out)
{
    objc_id error = NULL;
    kt_status status = KT_OK;
    objc_id name = metal_init_text(api, metal_alloc_object(api, api->text_class), entry,
                                   strlen(entry), METAL_UTF8);
    objc_id function = metal_new_function(api, library, name);
    if (!function)
        status = kt_fail(KT_INVALID, "the source has no kernel %s", entry);
    else if (metal_function_type(api, function) != METAL_FUNCTION_KERNEL)
        status =
            kt_fail(KT_INVALID, "the source has no kernel %s: that function is no kernel", entry);
    if (status == KT_OK) {
        *out = metal_new_pipeline(api, device, function, &error);
        if (!*out)
            status = fail_to_build(api, error, entry);
    }
    metal_release(api, function);
    metal_release(api, name);
    return status;
}

/* ---- command buffers ---- */

kt_status metal_commands_create(const metal_api *api, objc_id queue, objc_id *out)
{
    objc_id commands = metal_command_buffer(api, queue);
    if (!commands)
        return kt_fail(KT_DRIVER_ERROR, "Metal makes no command buffer");
    *out = metal_retain(api, commands);
    return KT_OK;
}

static kt_status fail_as_ended(const metal_api *api, objc_id commands)
{
    objc_id error = metal_error(api, commands);
    ptrdiff_t code = metal_code(api, error);
    kt_status status = code == METAL_NO_MEMORY ? KT_NO_MEMORY
                       : code == METAL_ACCESS_REVOKED || code == METAL_DEVICE_REMOVED
                           ? KT_DEVICE_LOST
                           : KT_DRIVER_ERROR;
    return kt_fail(status, "the command buffer failed: %s", words_of(api, error));
}

kt_status metal_wait(const metal_api *api, objc_id commands, int64_t timeout_ns)
{
    int64_t begin_ns = kt_host_now_ns();
    size_t status;
    while ((status = metal_status(api, commands)) < METAL_COMPLETED)
        if (kt_host_now_ns() - begin_ns >= timeout_ns)
            return kt_fail_timeout(timeout_ns);
    if (status == METAL_FAILED || kt_fault(KT_FAULT_DRIVER, "status"))
        return fail_as_ended(api, commands);
    return KT_OK;
}

/* Metal's seconds are doubles: of a host that has been up for 100 days, they are exact to 2 ns. */
static uint64_t ns_of(double seconds)
{
    return seconds > 0 && seconds < 9e9 ? (uint64_t)llround(seconds * 1e9) : 0;
}

bool metal_commands_times(const metal_api *api, objc_id commands, uint64_t *start_ns,
                          uint64_t *end_ns)
{
    if (!METAL_KNOWS(api, commands, gpu_start) || !METAL_KNOWS(api, commands, gpu_end))
        return false;
    *start_ns = ns_of(metal_gpu_start(api, commands));
    *end_ns = ns_of(metal_gpu_end(api, commands));
    return *start_ns != 0 && *end_ns != 0;
}

/* ---- passes ---- */

static objc_id describe_pass(const metal_api *api, bool copies, const metal_stamps *stamps)
{
    objc_id pass = copies ? metal_blit_pass(api, api->blit_pass_class)
                          : metal_compute_pass(api, api->compute_pass_class);
    objc_id attachment = metal_attachment_at(api, metal_attachments(api, pass), 0);
    if (!attachment)
        return NULL;
    metal_set_sample_buffer(api, attachment, stamps->buffer);
    metal_set_start_index(api, attachment, stamps->first);
    metal_set_end_index(api, attachment, stamps->first + 1);
    return pass;
}

kt_status metal_pass_begin(const metal_api *api, objc_id commands, bool copies,
                           const metal_stamps *stamps, objc_id *encoder)
{
    if (stamps->strategy == METAL_BY_STAGE) {
        objc_id pass = describe_pass(api, copies, stamps);
        if (!pass)
            return kt_fail(KT_DRIVER_ERROR, "Metal makes no pass descriptor with attachments");
        *encoder = copies ? metal_blit_encoder_with(api, commands, pass)
                          : metal_compute_encoder_with(api, commands, pass);
    } else {
        *encoder =
            copies ? metal_blit_encoder(api, commands) : metal_compute_encoder(api, commands);
    }
    if (!*encoder)
        return kt_fail(KT_DRIVER_ERROR, "Metal makes no encoder");
    if (stamps->strategy == METAL_BY_BOUNDARY)
        metal_sample_counters(api, *encoder, stamps->buffer, stamps->first, 1);
    return KT_OK;
}

void metal_pass_end(const metal_api *api, objc_id encoder, const metal_stamps *stamps)
{
    if (stamps->strategy == METAL_BY_BOUNDARY)
        metal_sample_counters(api, encoder, stamps->buffer, stamps->first + 1, 1);
    metal_end_encoding(api, encoder);
}

void metal_encode_empty(const metal_work *work, objc_id encoder)
{
    const metal_size one = {1, 1, 1};
    metal_set_pipeline(work->api, encoder, work->empty);
    metal_dispatch(work->api, encoder, one, one);
}
