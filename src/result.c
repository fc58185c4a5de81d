#include "core.h"
#include "support/alloc.h"

#include <string.h>

#define NAME_OF(names, value) \
    ((unsigned)(value) < sizeof(names) / sizeof(names)[0] ? (names)[value] : "unknown")

const char *kt_stamp_state_name(kt_stamp_state state)
{
    static const char *const names[] = {"ok",        "not_ready",    "zero",     "error",
                                        "negative",  "out_of_order", "lost",     "overwritten",
                                        "ambiguous", "below_floor",  "throttled"};
    _Static_assert(sizeof names / sizeof names[0] == KT_STAMP_STATE_COUNT, "a name for each state");
    return NAME_OF(names, state);
}

const char *kt_series_kind_name(kt_series_kind kind)
{
    static const char *const names[] = {"kernel", "copy", "wall"};
    return NAME_OF(names, kind);
}

const char *kt_series_status_name(kt_series_status status)
{
    static const char *const names[] = {"ok", "partial", "failed", "below_floor", "not_possible"};
    return NAME_OF(names, status);
}

const char *kt_stop_name(kt_stop stop)
{
    static const char *const names[] = {"none", "rel_err", "max_time", "max_samples", "grid"};
    return NAME_OF(names, stop);
}

const char *kt_warmup_end_name(kt_warmup_end end)
{
    static const char *const names[] = {"none", "steady", "moving", "short"};
    return NAME_OF(names, end);
}

const char *kt_severity_name(kt_severity severity)
{
    static const char *const names[] = {"good", "note", "warning", "fault"};
    return NAME_OF(names, severity);
}

void kt_result_destroy(kt_result **result)
{
    if (!*result)
        return;
    kt_free((*result)->series);
    kt_free_kept(&(*result)->copies, &(*result)->copy_count);
    kt_free(*result);
    *result = NULL;
}

uint32_t kt_result_series_count(const kt_result *result)
{
    return result->series_count;
}

const kt_series *kt_result_series(const kt_result *result, uint32_t index)
{
    return index < result->series_count ? &result->series[index] : NULL;
}

const kt_series *kt_result_find(const kt_result *result, const char *step)
{
    for (uint32_t i = 0; i < result->series_count; i++)
        if (strcmp(result->series[i].step, step) == 0)
            return &result->series[i];
    return NULL;
}
