/* SPDX-License-Identifier: MIT */
/* vulkan.c - entry points of Vulkan: timers in command buffers of the program, by recordings. */
#include "support/options.h"
#include "timer/recording.h"

#include <kerntime/timer/vulkan.h>

kt_status kt_timer_context_import_vulkan(const kt_vulkan_import *desc, kt_timer_context **out)
{
    kt_vulkan_import given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_vulkan_import");
    if (status != KT_OK)
        return status;
    if (!given.instance || !given.physical_device || !given.device)
        return kt_fail(KT_INVALID, "no %s to import",
                       !given.instance          ? "instance"
                       : !given.physical_device ? "physical device"
                                                : "device");
    return kt_timer_context_import(&kt_backend_vulkan, KT_BACKEND_VULKAN, &given, given.spans_max,
                                   out);
}

kt_status kt_recording_begin_vulkan(kt_recording *recording, struct VkCommandBuffer_T *commands,
                                    uint32_t usage)
{
    return kt_recording_begin(recording, &kt_backend_vulkan, commands, usage);
}
