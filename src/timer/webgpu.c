/* WebGPU: timers of passes, which are filled among commands of the program, resolved there, and
 * submitted with them. */
#include "support/options.h"
#include "timer/timer.h"

#include <kerntime/native/webgpu.h>

kt_status kt_native_import_webgpu(const kt_webgpu_import *desc, kt_native **out)
{
    kt_webgpu_import given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_webgpu_import");
    if (status != KT_OK)
        return status;
    if (!given.instance || !given.device)
        return kt_fail(KT_INVALID, "no %s to import", given.instance ? "device" : "instance");
    return kt_native_import(&kt_backend_webgpu, KT_BACKEND_WEBGPU, &given, 0, out);
}

/* ---- passes ---- */

/* `writes` was filled, or there is no span. */
static kt_status fill(kt_timer *timer, void *commands, void *descriptor)
{
    kt_slot *slot = NULL;
    kt_status status =
        kt_slot_mark(timer, timer->native->calls->mark_fill, commands, descriptor, &slot);
    if (status == KT_OK)
        kt_slot_hold(slot, commands);
    return status;
}

const struct WGPUPassTimestampWrites *kt_timer_pass_webgpu(kt_timer *timer,
                                                           struct WGPUCommandEncoderImpl *encoder,
                                                           struct WGPUPassTimestampWrites *writes)
{
    if (!timer || kt_native_check(timer->native) != KT_OK)
        return NULL;
    if (timer->native->backend != &kt_backend_webgpu || !encoder || !writes) {
        kt_fail(KT_INVALID,
                !encoder  ? "timer \"%s\": no encoder"
                : !writes ? "timer \"%s\": nothing to fill"
                          : "timer \"%s\" is not of WebGPU",
                timer->name);
        return NULL;
    }
    return kt_is_enabled() && fill(timer, encoder, writes) == KT_OK ? writes : NULL;
}

/* NULL may stand for all encoders of the native. */
static kt_status check(const kt_native *native, const void *encoder, bool may_be_all)
{
    if (!native)
        return KT_UNAVAILABLE;
    kt_status status = kt_native_check(native);
    if (status != KT_OK)
        return status;
    status = kt_native_check_api(native, &kt_backend_webgpu);
    if (status != KT_OK)
        return status;
    return encoder || may_be_all ? KT_OK : kt_fail(KT_INVALID, "no encoder");
}

kt_status kt_native_resolve_webgpu(kt_native *native, struct WGPUCommandEncoderImpl *encoder)
{
    kt_status status = check(native, encoder, false);
    if (status != KT_OK)
        return status;
    status = native->calls->commands_resolve(native->state, encoder);
    if (status == KT_OK)
        kt_slots_set_resolved(native, encoder);
    else if (status != KT_INVALID) /* then they were before, and may still come */
        kt_slots_drop_commands(native, encoder, KT_STAMP_ERROR);
    return status;
}

static kt_status await(kt_native *native, void *commands)
{
    kt_status status = native->calls->commands_submitted(native->state, commands);
    if (status == KT_OK)
        kt_slots_await_commands(native, commands);
    return status;
}

kt_status kt_native_submitted_webgpu(kt_native *native, struct WGPUCommandEncoderImpl *encoder)
{
    kt_status status = check(native, encoder, true);
    if (status != KT_OK || encoder)
        return status == KT_OK ? await(native, encoder) : status;
    void *resolved;
    while (status == KT_OK && (resolved = kt_slots_find_resolved(native)) != NULL)
        status = await(native, resolved);
    return status;
}

kt_status kt_native_discard_webgpu(kt_native *native, struct WGPUCommandEncoderImpl *encoder)
{
    kt_status status = check(native, encoder, false);
    if (status == KT_OK)
        kt_slots_drop_commands(native, encoder, KT_STAMP_OK);
    return status;
}
