/* SPDX-License-Identifier: MIT */
#include "tracers/common/collect.h"
#include "tracers/common/names.h"

static const char *const apis[TRACE_API_COUNT] = {TRACE_API_NAMES};
static const char *const kinds[TRACE_KIND_COUNT] = {TRACE_KIND_NAMES};

static const struct {
    const char *name, *text;
} reasons[TRACE_REASON_COUNT] = {
    [TRACE_NO_TIMESTAMPS] = {"no timestamps", "the queue gives no timestamps"},
    [TRACE_OVERWRITTEN] = {"overwritten",
                           "the commands ran again before their timestamps could be read"},
    [TRACE_FAILED] = {"failed", "the command ended with an error"},
    [TRACE_TOO_MANY] = {"too many", "too many commands were in flight"},
    [TRACE_UNTRUSTED] = {"untrusted", "the driver's timestamps contradict themselves"},
    [TRACE_NO_MEMORY] = {"no memory", "memory or disk space ran out"},
    [TRACE_DROPPED_BY_DRIVER] = {"dropped by the driver", "the driver's own buffers were full"},
};

const char *trace_reason_name(trace_reason reason)
{
    return (unsigned)reason < TRACE_REASON_COUNT ? reasons[reason].name : "unknown";
}

const char *trace_reason_text(trace_reason reason)
{
    return (unsigned)reason < TRACE_REASON_COUNT ? reasons[reason].text : "unknown";
}

const char *trace_kind_name(trace_kind kind)
{
    return (unsigned)kind < TRACE_KIND_COUNT ? kinds[kind] : "unknown";
}

const char *trace_api_name(trace_api api)
{
    return (unsigned)api < TRACE_API_COUNT ? apis[api] : "unknown";
}
