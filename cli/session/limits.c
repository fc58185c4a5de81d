/*
 * limits.c - checks the limits that a device reports before anything is allocated. The library
 * checks them again for any program.
 */
#include "cli/session/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

char *plan_format_bytes(char text[32], uint64_t bytes)
{
    static const char units[][6] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    uint64_t count = bytes;
    for (; unit < 4 && count && count % 1024 == 0; unit++)
        count /= 1024;
    if (unit && count < 10000)
        snprintf(text, 32, "%" PRIu64 " %s", count, units[unit]);
    else
        kt_format_bytes(text, 32, bytes);
    return text;
}

/* Formats two amounts so that they differ. */
static void format_both(const plan_item *item, char one[32], uint64_t one_bytes, char other[32],
                        uint64_t other_bytes)
{
    bool whole = one_bytes % 1024 == 0 && other_bytes % 1024 == 0;
    kt_format_bytes(one, 32, one_bytes);
    kt_format_bytes(other, 32, other_bytes);
    if (strcmp(one, other) == 0) { /* the rounded amounts are equal */
        snprintf(one, 32, "%" PRIu64 " bytes", one_bytes);
        snprintf(other, 32, "%" PRIu64 " bytes", other_bytes);
    } else if (item->is_copy && whole) {
        plan_format_bytes(one, one_bytes);
        plan_format_bytes(other, other_bytes);
    }
}

/* The largest size of a workload whose largest memory is at most `most_bytes`; 0: no size. `size`
 * needs more. */
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

/* Writes a reason if the largest single memory of a size exceeds `most_bytes`; else returns false.
 * */
static bool too_large(const plan_item *item, uint64_t size, uint64_t most_bytes, const char *who,
                      char *reason, size_t bytes)
{
    char most[32], wanted[32], fitting[64] = "";
    const workload *w = item->workload;
    uint64_t wanted_bytes = w->largest_bytes(size);
    if (most_bytes == 0 || wanted_bytes <= most_bytes)
        return false;
    format_both(item, most, most_bytes, wanted, wanted_bytes);
    uint64_t fits = largest_size(w, size, most_bytes);
    if (fits && !item->is_copy) /* sizes of copies are bytes already */
        snprintf(fitting, sizeof fitting, "; the largest size that fits is %" PRIu64, fits);
    snprintf(reason, bytes, "needs %s in one piece, %s %s%s", wanted, who, most, fitting);
    return true;
}

/* Copies of each memory that sim keeps, to track what kernels do to it. */
#define SIMULATED_COPIES 3

static bool in_host_memory(const kt_device_info *info, kt_memory_kind kind)
{
    return kind == KT_MEMORY_HEAP || kind == KT_MEMORY_HOST || info->type == KT_DEVICE_CPU ||
           info->type == KT_DEVICE_SIMULATED;
}

/* Memory needed to copy `size` bytes from one memory kind to another. Drivers may keep a second
 * copy of the source. */
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
    /* A kernel's output is read back into separate memory of the host. */
    return (plan_need){.host_bytes = w->largest_bytes(size) + times * bytes, .device_bytes = bytes};
}

/* Writes a reason if the needed memory exceeds `most_bytes`; else returns false. */
static bool too_much(const plan_item *item, uint64_t needed_bytes, uint64_t most_bytes,
                     const char *who, char *reason, size_t bytes)
{
    char most[32], needed[32];
    if (most_bytes == 0 || needed_bytes <= most_bytes)
        return false;
    format_both(item, most, most_bytes, needed, needed_bytes);
    snprintf(reason, bytes, "needs %s in all, %s %s", needed, who, most);
    return true;
}

static bool copy_impossible(const plan_item *item, uint64_t size, const kt_device_info *info,
                            char *reason, size_t bytes)
{
    char offered[512];
    const copy_direction *d = &item->direction;
    if (!direction_offered(info, d)) {
        int length = snprintf(reason, bytes, "the device does not offer it; it has %s",
                              directions_text_of(offered, sizeof offered, info));
        if (length >= (int)bytes)
            snprintf(reason, bytes,
                     "the device does not offer it; \"kerntime devices\" tells what it does");
        return true;
    }
    /* Heap memory counts for the device only if its driver imports it. */
    bool all_heap = direction_is_memcpy(d) && strcmp(info->backend, "cpu") == 0;
    plan_need need = need_of_copy(item, size, info);
    return (!all_heap &&
            too_large(item, size, info->max_memory_bytes, "the device gives", reason, bytes)) ||
           too_much(item, need.device_bytes, info->memory_bytes, "the device has", reason, bytes) ||
           too_much(item, need.host_bytes, kt_host_memory_bytes() / 2,
                    "half of this machine's memory is", reason, bytes);
}

bool plan_impossible(const plan_item *item, uint64_t size, const kt_device_info *info, char *reason,
                     size_t bytes)
{
    if (item->is_copy)
        return copy_impossible(item, size, info, reason, bytes);
    const char *lacks = workload_lacks(item->workload, item->variant, info->languages);
    if (lacks) {
        snprintf(reason, bytes, "%s", lacks);
        return true;
    }
    /* Checks the smaller limit first: the size that it suggests fits both limits. */
    return too_large(item, size, info->max_argument_bytes, "kernels of the device take", reason,
                     bytes) ||
           too_large(item, size, info->max_memory_bytes, "the device gives", reason, bytes) ||
           too_much(item, item->workload->memory_bytes(size), info->memory_bytes, "the device has",
                    reason, bytes);
}

bool plan_impossible_before(const cli_plan *plan, const plan_item *item, uint64_t size,
                            const selected_device *device, const char *reason)
{
    char other[256];
    for (const plan_item *before = plan->items; item->is_copy && before < item; before++)
        if (plan_has(before, device) &&
            plan_impossible(before, size, &device->info, other, sizeof other) &&
            strcmp(other, reason) == 0)
            return true;
    return false;
}
