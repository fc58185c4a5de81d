/* SPDX-License-Identifier: MIT */
/* names.c - names of public enumeration values, as messages and result files spell them. */
#include <kerntime/kerntime.h>

#include <stdio.h>
#include <string.h>

#define NAME_OF(names, value) \
    ((unsigned)(value) < sizeof(names) / sizeof(names)[0] ? (names)[value] : "unknown")

const char *kt_status_name(kt_status status)
{
    switch (status) {
    case KT_OK: return "ok";
    case KT_INVALID: return "invalid argument";
    case KT_NO_MEMORY: return "out of memory";
    case KT_UNAVAILABLE: return "not available";
    case KT_UNSUPPORTED: return "not supported";
    case KT_LIMIT: return "over a limit";
    case KT_NOT_READY: return "not ready";
    case KT_TIMEOUT: return "timed out";
    case KT_DEVICE_LOST: return "device lost";
    case KT_DRIVER_ERROR: return "driver error";
    case KT_BUILD_FAILED: return "build failed";
    case KT_WRONG_RESULT: return "wrong result";
    case KT_CANCELLED: return "cancelled";
    case KT_IO_ERROR: return "could not write";
    }
    return "unknown status";
}

const char *kt_device_type_name(kt_device_type type)
{
    static const char *const names[] = {"other", "cpu", "gpu", "accelerator", "simulated"};
    return NAME_OF(names, type);
}

const char *kt_queue_kind_name(kt_queue_kind kind)
{
    switch (kind) {
    case KT_QUEUE_COMPUTE: return "compute";
    case KT_QUEUE_COPY: return "copy";
    case KT_QUEUE_COOPERATIVE: return "cooperative";
    case KT_QUEUE_METRICS: return "metrics";
    }
    return "unknown";
}

const char *kt_method_name(kt_method method)
{
    static const char *const names[] = {"none",       "device-timestamp",   "event-profile",
                                        "event-pair", "event-pair-blocked", "command-buffer",
                                        "host-wall",  "simulated"};
    return NAME_OF(names, method);
}

const char *kt_clock_source_name(kt_clock_source source)
{
    static const char *const names[] = {"none", "reported", "calibrated_timestamps",
                                        "bracketed_submissions"};
    return NAME_OF(names, source);
}

const char *kt_state_value_name(kt_state_value value)
{
#define KEY(ID, key, label, least, most) #key,
    static const char *const names[] = {KT_STATE_VALUES_(KEY)};
#undef KEY
    return NAME_OF(names, value);
}

const char *kt_reading_name(kt_reading reading)
{
    static const char *const names[] = {"unsupported", "ok",     "denied",
                                        "invalid",     "failed", "asleep"};
    return NAME_OF(names, reading);
}

const char *kt_throttle_name(kt_throttle reason)
{
    switch (reason) {
    case KT_THROTTLE_POWER_CAP: return "power_cap";
    case KT_THROTTLE_THERMAL: return "thermal";
    case KT_THROTTLE_HARDWARE: return "hardware";
    case KT_THROTTLE_CURRENT: return "current";
    case KT_THROTTLE_OTHER: return "other";
    case KT_THROTTLE_IDLE: return "idle";
    case KT_THROTTLE_SETTING: return "clock_setting";
    }
    return "unknown";
}

char *kt_throttle_names(uint32_t mask, char *text, size_t bytes)
{
    static const char *const names[] = {"power cap", "thermal", "hardware",     "current",
                                        "other",     "idle",    "clock setting"};
    size_t used = 0;
    if (!text || !bytes)
        return text;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof names[0] && used < bytes; i++)
        if (mask & 1u << i)
            used += (size_t)snprintf(text + used, bytes - used, "%s%s", used ? ", " : "", names[i]);
    return text;
}

const char *kt_memory_kind_name(kt_memory_kind kind)
{
    static const char *const names[] = {"default", "heap", "host", "device", "shared"};
    return NAME_OF(names, kind);
}

const char *kt_timestamp_state_name(kt_timestamp_state state)
{
    static const char *const names[] = {
        "ok",   "not_ready",   "zero",      "error",          "negative",
        "lost", "overwritten", "ambiguous", "below_min_span", "throttled"};
    _Static_assert(sizeof names / sizeof names[0] == KT_TIMESTAMP_STATE_COUNT,
                   "a name for each state");
    return NAME_OF(names, state);
}

const char *kt_series_role_name(kt_series_role role)
{
    static const char *const names[] = {"kernel", "copy", "total",           "gaps",
                                        "span",   "wall", "wall_timestamped"};
    return NAME_OF(names, role);
}

kt_series_role kt_series_get_role(const kt_series *series)
{
    if (!series)
        return KT_ROLE_KERNEL;
    for (int role = KT_ROLE_TOTAL; series->step && role <= KT_ROLE_WALL_TIMESTAMPED; role++)
        if (strcmp(series->step, kt_series_role_name((kt_series_role)role)) == 0)
            return (kt_series_role)role;
    switch (series->kind) {
    case KT_SERIES_COPY: return KT_ROLE_COPY;
    case KT_SERIES_WALL: return KT_ROLE_WALL;
    case KT_SERIES_WALL_TIMESTAMPED: return KT_ROLE_WALL_TIMESTAMPED;
    default: return KT_ROLE_KERNEL;
    }
}

const char *kt_series_kind_name(kt_series_kind kind)
{
    static const char *const names[] = {"kernel", "copy", "wall", "wall_timestamped"};
    return NAME_OF(names, kind);
}

const char *kt_series_status_name(kt_series_status status)
{
    static const char *const names[] = {"ok", "partial", "failed", "below_min_span",
                                        "not_possible"};
    return NAME_OF(names, status);
}

const char *kt_stop_name(kt_stop stop)
{
    static const char *const names[] = {"none", "rel_err", "max_time", "max_samples", "resolution"};
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

const char *kt_sample_warning_name(kt_sample_warning warning)
{
    switch (warning) {
    case KT_WARNING_AUTOCORRELATED: return "autocorrelated";
    case KT_WARNING_DRIFT: return "drift";
    case KT_WARNING_BIMODAL: return "bimodal";
    case KT_WARNING_COARSE_CLOCK: return "coarse_clock";
    }
    return "unknown";
}

const char *kt_transfer_state_name(kt_transfer_state state)
{
    switch (state) {
    case KT_TRANSFER_NONE: return "none";
    case KT_TRANSFER_OK: return "ok";
    case KT_TRANSFER_ZERO_COPY: return "zero_copy";
    case KT_TRANSFER_NO_LINE: return "no_line";
    case KT_TRANSFER_FLAT: return "flat";
    }
    return "unknown";
}

const char *kt_verdict_name(kt_verdict verdict)
{
    static const char *const names[] = {"none",         "same",          "faster",       "slower",
                                        "inconclusive", "likely_faster", "likely_slower"};
    return NAME_OF(names, verdict);
}

const char *kt_backend_id_name(kt_backend_id id)
{
#define BACKEND_NAME(name, id) #name,
    static const char *const names[] = {"none", KT_BACKENDS_(BACKEND_NAME)};
#undef BACKEND_NAME
    return NAME_OF(names, id);
}
