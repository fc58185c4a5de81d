/* What a device can never do, known from what it says of itself. */
#include "session.h"

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
static bool too_large(const session_case *c, uint64_t most_bytes, const char *who, char *why,
                      size_t bytes)
{
    char most[32], wanted[32], fitting[64] = "";
    const workload *w = c->item->workload;
    uint64_t wanted_bytes = w->largest_bytes(c->size);
    if (most_bytes == 0 || wanted_bytes <= most_bytes)
        return false;
    kt_format_bytes(most, sizeof most, most_bytes);
    kt_format_bytes(wanted, sizeof wanted, wanted_bytes);
    if (strcmp(most, wanted) == 0) { /* to so few digits */
        snprintf(most, sizeof most, "%" PRIu64 " bytes", most_bytes);
        snprintf(wanted, sizeof wanted, "%" PRIu64 " bytes", wanted_bytes);
    }
    uint64_t fits = largest_size(w, c->size, most_bytes);
    if (fits)
        snprintf(fitting, sizeof fitting, "; the largest size that fits is %" PRIu64, fits);
    snprintf(why, bytes, "needs %s in one piece, %s %s%s", wanted, who, most, fitting);
    return true;
}

bool session_impossible(const session_case *c, const kt_device_info *info, char *why, size_t bytes)
{
    const char *lacks = workload_lacks(c->item->workload, c->desc.variant, info->languages);
    if (lacks) {
        snprintf(why, bytes, "%s", lacks);
        return true;
    }
    /* The smaller one first: its largest size fits both. */
    return too_large(c, info->max_argument_bytes, "kernels of the device take", why, bytes) ||
           too_large(c, info->max_memory_bytes, "the device gives", why, bytes);
}
