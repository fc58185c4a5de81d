/* What a device can never do, known from what it says of itself. */
#include "plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The largest size that needs no more in one piece, 0 if there is none. `size` needs more. */
static uint64_t largest_size(const workload *w, uint64_t size, uint64_t most_bytes)
{
    uint64_t fits = 0;
    while (size - fits > 1) {
        uint64_t middle = fits + (size - fits) / 2;
        if (w->largest_bytes(middle) <= most_bytes)
            fits = middle;
        else
            size = middle;
    }
    return fits;
}

/* False: memories of that many bytes are no trouble. */
static bool too_large(const plan_item *item, uint64_t size, uint64_t most_bytes, const char *who,
                      char *why, size_t bytes)
{
    char most[32], wanted[32], fitting[64] = "";
    const workload *w = item->workload;
    uint64_t wanted_bytes = w->largest_bytes(size);
    if (most_bytes == 0 || wanted_bytes <= most_bytes)
        return false;
    kt_format_bytes(most, sizeof most, most_bytes);
    kt_format_bytes(wanted, sizeof wanted, wanted_bytes);
    if (strcmp(most, wanted) == 0) { /* to so few digits */
        snprintf(most, sizeof most, "%" PRIu64 " bytes", most_bytes);
        snprintf(wanted, sizeof wanted, "%" PRIu64 " bytes", wanted_bytes);
    }
    uint64_t fits = largest_size(w, size, most_bytes);
    if (fits)
        snprintf(fitting, sizeof fitting, "; the largest size that fits is %" PRIu64, fits);
    snprintf(why, bytes, "needs %s in one piece, %s %s%s", wanted, who, most, fitting);
    return true;
}

/* Sim remembers what kernels did to their memories. */
#define SIMULATED_COPIES 3

static bool in_host_memory(const kt_device_info *info, kt_memory_kind kind)
{
    return kind == KT_MEMORY_HEAP || kind == KT_MEMORY_HOST || info->type == KT_DEVICE_CPU ||
           info->type == KT_DEVICE_SIMULATED;
}

/* Of a copy, whose ends are of kinds. Drivers may have another one of its source for themselves. */
static plan_need need_of_copy(const plan_item *item, uint64_t size, const kt_device_info *info)
{
    const copy_direction *d = &item->direction;
    const kt_memory_kind ends[] = {d->src, d->dst};
    plan_need need = {.host_bytes = size};
    for (int i = 0; i < 2; i++) {
        if (in_host_memory(info, ends[i]))
            need.host_bytes += size;
        if (ends[i] == KT_MEMORY_DEVICE || ends[i] == KT_MEMORY_SHARED)
            need.device_bytes += size;
    }
    return need;
}

plan_need plan_need_of(const plan_item *item, uint64_t size, const kt_device_info *info)
{
    const workload *w = item->workload;
    if (item->is_copy)
        return need_of_copy(item, size, info);
    uint64_t bytes = w->memory_bytes(size);
    unsigned times = info->type == KT_DEVICE_SIMULATED ? SIMULATED_COPIES
                     : info->type == KT_DEVICE_CPU     ? 1
                                                       : 0;
    /* The output is read back into room of its own. */
    return (plan_need){.host_bytes = w->largest_bytes(size) + times * bytes, .device_bytes = bytes};
}

/* False: there is as much. */
static bool too_much(uint64_t needed_bytes, uint64_t most_bytes, const char *who, char *why,
                     size_t bytes)
{
    char most[32], needed[32];
    if (most_bytes == 0 || needed_bytes <= most_bytes)
        return false;
    kt_format_bytes(most, sizeof most, most_bytes);
    kt_format_bytes(needed, sizeof needed, needed_bytes);
    snprintf(why, bytes, "needs %s in all, %s %s", needed, who, most);
    return true;
}

static bool copy_impossible(const plan_item *item, uint64_t size, const kt_device_info *info,
                            char *why, size_t bytes)
{
    char offered[512];
    const copy_direction *d = &item->direction;
    if (!direction_offered(info, d)) {
        int length = snprintf(why, bytes, "the device does not offer it; it has %s",
                              directions_text_of(offered, sizeof offered, info));
        if (length >= (int)bytes)
            snprintf(why, bytes,
                     "the device does not offer it; \"kerntime devices\" tells what it does");
        return true;
    }
    bool all_heap = direction_is_memcpy(d); /* which is not the device's to give */
    plan_need need = need_of_copy(item, size, info);
    return (!all_heap &&
            too_large(item, size, info->max_memory_bytes, "the device gives", why, bytes)) ||
           too_much(need.device_bytes, info->memory_bytes, "the device has", why, bytes) ||
           too_much(need.host_bytes, kt_host_memory_bytes() / 2, "half of this machine's memory is",
                    why, bytes);
}

bool plan_impossible(const plan_item *item, uint64_t size, const kt_device_info *info, char *why,
                     size_t bytes)
{
    if (item->is_copy)
        return copy_impossible(item, size, info, why, bytes);
    const char *lacks = workload_lacks(item->workload, item->variant, info->languages);
    if (lacks) {
        snprintf(why, bytes, "%s", lacks);
        return true;
    }
    /* The smaller one first: its largest size fits both. */
    return too_large(item, size, info->max_argument_bytes, "kernels of the device take", why,
                     bytes) ||
           too_large(item, size, info->max_memory_bytes, "the device gives", why, bytes);
}
