#include "read_result.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA      "kerntime/"
#define SCHEMA_READ 1

/* Far beyond any file that was ever written. */
#define FILE_BYTES_MAX ((size_t)256 << 20)

/* Each device is compared with those before it, each series with all baselines. */
#define DEVICES_MAX   1024
#define BASELINES_MAX 16384

/* Limits of numbers. */
#define ANY      (-DBL_MAX)
#define ABOVE_0  DBL_TRUE_MIN
#define ANY_SIZE SIZE_MAX

/* The words that the library knows, as functions of one type. */
#define WORDS_OF(type)                             \
    static const char *type##_word(int value)      \
    {                                              \
        return kt_##type##_name((kt_##type)value); \
    }
WORDS_OF(method)
WORDS_OF(clock_source)
WORDS_OF(device_type)
WORDS_OF(memory_kind)
WORDS_OF(stamp_state)
WORDS_OF(series_kind)
WORDS_OF(series_status)
WORDS_OF(stop)
WORDS_OF(warmup_end)

/* They are bits: their words by the bit's number. */
static const char *pattern_word(int bit)
{
    return kt_pattern_name((kt_pattern)(1u << bit));
}

static void check(json_reader *r, kt_status status)
{
    if (status != KT_OK)
        read_refuse(r, "%s", kt_error_text());
}

/* ---- the head ---- */

static void check_schema(json_reader *r)
{
    if (!read_has(r, "schema")) {
        read_refuse(r, "it is not a result file of kerntime: \"schema\" is missing");
        return;
    }
    const char *schema = read_text(r, "schema", READ_ALONE);
    if (!schema)
        return;
    const char *number = schema + strlen(SCHEMA);
    if (strncmp(schema, SCHEMA, strlen(SCHEMA)) != 0 || !*number || *number == '0' ||
        number[strspn(number, "0123456789")])
        read_refuse(r, "it is not a result file of kerntime: its schema is \"%.40s\"", schema);
    else if (strcmp(number, "1") != 0)
        read_refuse(r,
                    "it was written by a newer kerntime: its schema is \"%.40s\", and this version "
                    "reads " SCHEMA "%d",
                    schema, SCHEMA_READ);
}

static const char *read_document(json_reader *r)
{
    const char *document = read_text(r, "document", READ_ALONE);
    if (document && strcmp(document, "result") != 0 && strcmp(document, "devices") != 0)
        read_refuse(r, "\"document\" is \"%.40s\", which is neither result nor devices", document);
    return document;
}

static void read_origin(json_reader *r, kt_report_origin *origin)
{
    origin->version = read_text(r, "version", READ_ALONE);
    origin->started = read_text(r, "started", READ_ALONE);
    read_enter(r, "host", READ_ALONE);
    origin->os = read_text(r, "os", READ_ALONE);
    origin->cpu = read_text_or_null(r, "cpu");
    origin->cores = (uint32_t)read_whole(r, "cores", 0, UINT32_MAX);
    origin->clock = read_text(r, "clock", READ_ALONE);
    read_leave(r);
}

static kt_report *read_head(json_reader *r)
{
    kt_report_origin origin = {0};
    kt_report_desc desc = {.size = sizeof desc, .origin = &origin};
    check_schema(r);
    desc.document = read_document(r);
    read_origin(r, &origin);
    desc.command_count = (uint32_t)read_list(r, "command", UINT32_MAX);
    const char **command = read_alloc(r, desc.command_count, sizeof *command);
    for (uint32_t i = 0; command && i < desc.command_count; i++)
        command[i] = read_text(r, "command", i);
    desc.command = command;
    kt_report *report = NULL;
    if (!r->failed)
        check(r, kt_report_create(&report, &desc));
    free(command);
    return report;
}

static void read_backend(json_reader *r, kt_report *report)
{
    kt_backend_info info = {
        .name = read_text(r, "name", READ_ALONE),
        .device_count = (uint32_t)read_whole(r, "devices", 0, UINT32_MAX),
    };
    const char *missing = read_text_or_null(r, "missing");
    info.status = missing ? KT_UNAVAILABLE : KT_OK;
    info.why = missing ? missing : "";
    if (!r->failed)
        check(r, kt_report_add_backend(report, &info));
}

/* ---- devices ---- */

static kt_clock_source read_source(json_reader *r, const char *key)
{
    if (!read_has(r, key) || read_is_null(r, key))
        return KT_SOURCE_NONE;
    return (kt_clock_source)read_word(r, key, READ_ALONE, clock_source_word, KT_SOURCE_TOLD);
}

/* What files of before clocks were looked for do not have. */
static void read_found(json_reader *r, kt_clock_info *clock)
{
    if (read_has(r, "valid_bits_min"))
        clock->valid_bits_min = (uint32_t)read_count_or_null(r, "valid_bits_min", 64);
    if (clock->valid_bits && clock->valid_bits_min)
        read_refuse(r, "\"valid_bits\" and \"valid_bits_min\" are both known");
    clock->drift_ppm = read_has(r, "drift_ppm") ? read_number_or_null(r, "drift_ppm", ANY) : NAN;
    clock->period_source = read_source(r, "period_source");
    clock->relation_source = read_source(r, "relation_source");
}

static void read_clock(json_reader *r, kt_clock_info *clock)
{
    read_chars(r, "name", clock->name, sizeof clock->name);
    clock->method = (kt_method)read_word(r, "method", READ_ALONE, method_word, 0);
    clock->period_ns = read_number_or_null(r, "period_ns", ABOVE_0);
    clock->frequency_hz = read_number_or_null(r, "frequency_hz", ABOVE_0);
    clock->valid_bits = (uint32_t)read_count_or_null(r, "valid_bits", 64);
    read_chars_or_null(r, "domain", clock->domain, sizeof clock->domain);
    clock->uncertainty_ns = read_number_or_null(r, "uncertainty_ns", 0);
    read_found(r, clock);
}

static uint32_t read_memory_kinds(json_reader *r, const char *key)
{
    uint32_t kinds = 0;
    size_t count = read_list(r, key, KT_MEMORY_KIND_COUNT);
    for (size_t i = 0; i < count; i++)
        kinds |= 1u << read_word(r, key, i, memory_kind_word, KT_MEMORY_HEAP);
    return kinds;
}

#define KINDS (KT_MEMORY_KIND_COUNT - KT_MEMORY_HEAP)

/* Of all pairs of kinds, in the order of the kinds. */
static const char *copy_word(int pair)
{
    static const char *const words[KINDS * KINDS + 1] = {
        "heap-heap",     "heap-host",     "heap-device", "heap-shared", "host-heap",
        "host-host",     "host-device",   "host-shared", "device-heap", "device-host",
        "device-device", "device-shared", "shared-heap", "shared-host", "shared-device",
        "shared-shared", "unknown"};
    return words[pair];
}

static void read_copies(json_reader *r, uint32_t copies[KT_MEMORY_KIND_COUNT])
{
    size_t count = read_list(r, "copies", KINDS * KINDS);
    for (size_t i = 0; i < count; i++) {
        int pair = read_word(r, "copies", i, copy_word, 0);
        copies[KT_MEMORY_HEAP + pair / KINDS] |= 1u << (KT_MEMORY_HEAP + pair % KINDS);
    }
}

static void read_info(json_reader *r, kt_device_info *info)
{
    read_chars(r, "id", info->id, sizeof info->id);
    read_chars(r, "backend", info->backend, sizeof info->backend);
    read_chars(r, "name", info->name, sizeof info->name);
    read_chars_or_null(r, "vendor", info->vendor, sizeof info->vendor);
    read_chars(r, "driver", info->driver, sizeof info->driver);
    info->vendor_id = (uint32_t)read_count_or_null(r, "vendor_id", UINT32_MAX);
    info->type = (kt_device_type)read_word(r, "type", READ_ALONE, device_type_word, 0);
    info->compute_units = (uint32_t)read_count_or_null(r, "compute_units", UINT32_MAX);
    info->memory_bytes = read_count_or_null(r, "memory_bytes", UINT64_MAX);
    info->max_memory_bytes = read_count_or_null(r, "max_memory_bytes", UINT64_MAX);
    if (read_has(r, "max_argument_bytes"))
        info->max_argument_bytes = read_count_or_null(r, "max_argument_bytes", UINT64_MAX);
    info->max_group_size = (uint32_t)read_count_or_null(r, "max_group_size", UINT32_MAX);
    info->memory_kinds = read_memory_kinds(r, "memory_kinds");
    if (read_has(r, "copies"))
        read_copies(r, info->copies);
    if (read_has(r, "maps"))
        info->maps = read_memory_kinds(r, "maps");
    info->clock_count = (uint32_t)read_list(r, "clocks", KT_CLOCKS_MAX);
    for (uint32_t i = 0; i < info->clock_count; i++) {
        read_enter(r, "clocks", i);
        read_clock(r, &info->clocks[i]);
        read_leave(r);
    }
    if (read_has(r, "quirk"))
        read_chars_or_null(r, "quirk", info->quirk, sizeof info->quirk);
}

/* Whether there is a ruler: a device that was not measured has null for all of it. */
static bool read_ruler(json_reader *r, kt_ruler *ruler)
{
    ruler->grid_ns = read_number_or_null(r, "grid_ns", ABOVE_0);
    ruler->floor_ns = read_number_or_null(r, "floor_ns", 0);
    ruler->stamp_cost_ns = read_number_or_null(r, "stamp_cost_ns", ANY);
    ruler->overhead_ns = NAN;
    ruler->believed = read_text_or_null(r, "distrust") == NULL;
    read_chars_or_null(r, "distrust", ruler->why, sizeof ruler->why);
    return !ruler->believed || !isnan(ruler->grid_ns) || !isnan(ruler->floor_ns) ||
           !isnan(ruler->stamp_cost_ns);
}

static void read_device(json_reader *r, kt_report *report)
{
    kt_device_info info = {0};
    kt_ruler ruler = {0};
    read_info(r, &info);
    bool measured = read_ruler(r, &ruler);
    const char *error = read_has(r, "clock_error") ? read_text_or_null(r, "clock_error") : NULL;
    uint32_t count = kt_report_device_count(report);
    if (r->failed)
        return;
    check(r, kt_report_add_device(report, &info, measured ? &ruler : NULL));
    if (!r->failed && kt_report_device_count(report) == count)
        read_refuse(r, "\"id\" is that of a device before it");
    if (!r->failed && error)
        check(r, kt_report_set_clock_error(report, info.id, error));
}

/* ---- series and baselines ---- */

static kt_param *read_params(json_reader *r, uint32_t *count)
{
    read_enter(r, "params", READ_ALONE);
    *count = (uint32_t)read_count(r);
    kt_param *params = read_alloc(r, *count, sizeof *params);
    void *member = NULL;
    for (kt_param *param = params;
         params && (member = read_next(r, member, &param->name, &param->value)) != NULL; param++)
        ;
    read_leave(r);
    return params;
}

static double *read_samples(json_reader *r, size_t *n)
{
    *n = read_list(r, "samples_ns", ANY_SIZE);
    double *samples_ns = read_alloc(r, *n, sizeof *samples_ns);
    for (size_t i = 0; samples_ns && i < *n; i++)
        samples_ns[i] = read_number(r, "samples_ns", i, 0);
    return samples_ns;
}

static void read_discarded(json_reader *r, uint32_t *discarded)
{
    read_enter(r, "discarded", READ_ALONE);
    for (int state = 1; state < KT_STAMP_STATE_COUNT; state++)
        discarded[state] = (uint32_t)read_whole(r, stamp_state_word(state), 0, UINT32_MAX);
    read_leave(r);
}

/* null: NaN for both ends. Some writers let half a step of a coarse clock lead below 0. */
static void read_interval(json_reader *r, const char *key, double *low, double *high)
{
    *low = *high = NAN;
    if (read_is_null(r, key))
        return;
    if (read_list(r, key, 2) != 2)
        read_refuse(r, "\"%s\" has not two numbers", key);
    *low = read_number(r, key, 0, ANY);
    *high = read_number(r, key, 1, ANY);
    if (*low > *high)
        read_refuse(r, "\"%s\" ends before it begins", key);
}

/* They were looked for where there is a median. */
static void read_outliers(json_reader *r, kt_summary *summary)
{
    bool known = !read_is_null(r, "outliers");
    if (known) {
        read_enter(r, "outliers", READ_ALONE);
        summary->outliers_low = (size_t)read_whole(r, "low", 0, INT64_MAX);
        summary->outliers_high = (size_t)read_whole(r, "high", 0, INT64_MAX);
        read_leave(r);
    }
    if (known == isnan(summary->median))
        read_refuse(r, "one of \"outliers\" and \"median_ns\" is null, and one is not");
}

static void read_levels(json_reader *r, kt_summary *summary)
{
    summary->level_low = summary->level_high = summary->level_high_share = NAN;
    if (read_is_null(r, "levels"))
        return;
    read_enter(r, "levels", READ_ALONE);
    summary->level_low = read_number(r, "low_ns", READ_ALONE, 0);
    summary->level_high = read_number(r, "high_ns", READ_ALONE, 0);
    summary->level_high_share = read_number(r, "high_share", READ_ALONE, 0);
    if (summary->level_high_share > 1)
        read_refuse(r, "\"high_share\" is %g, not from 0 to 1", summary->level_high_share);
    if (summary->level_low >= summary->level_high)
        read_refuse(r, "\"high_ns\" is not above \"low_ns\"");
    read_leave(r);
}

/* What was noticed, and its size: one does not stand without the other. */
static void read_noticed(json_reader *r, kt_summary *summary)
{
    size_t count = read_list(r, "patterns", KT_PATTERN_COUNT);
    for (size_t i = 0; i < count; i++) {
        unsigned pattern = 1u << read_word(r, "patterns", i, pattern_word, 0);
        if (summary->patterns >= pattern)
            read_refuse(r, "\"patterns\" are not in their order, each once");
        summary->patterns |= pattern;
    }
    summary->drift = read_number_or_null(r, "drift", ANY);
    read_levels(r, summary);
    if (isnan(summary->drift) == ((summary->patterns & KT_PATTERN_DRIFT) != 0))
        read_refuse(r, "\"drift\" does not fit \"patterns\"");
    if (isnan(summary->level_low) == ((summary->patterns & KT_PATTERN_LEVELS) != 0))
        read_refuse(r, "\"levels\" does not fit \"patterns\"");
}

static void read_summary(json_reader *r, kt_summary *summary)
{
    summary->min = read_number_or_null(r, "min_ns", 0);
    summary->median = read_number_or_null(r, "median_ns", 0);
    summary->mean = read_number_or_null(r, "mean_ns", 0);
    summary->max = read_number_or_null(r, "max_ns", 0);
    summary->stddev = read_number_or_null(r, "stddev_ns", 0);
    summary->mad = read_number_or_null(r, "mad_ns", 0);
    summary->p95 = read_number_or_null(r, "p95_ns", 0);
    read_interval(r, "ci95_ns", &summary->ci95_low, &summary->ci95_high);
    read_interval(r, "p95_ci95_ns", &summary->p95_ci95_low, &summary->p95_ci95_high);
    summary->robust_stddev = read_number_or_null(r, "robust_stddev_ns", 0);
    summary->grid = read_number_or_null(r, "grid_ns", ABOVE_0);
    read_outliers(r, summary);
    summary->inflation = read_number_or_null(r, "inflation", 0);
    read_noticed(r, summary);
}

/* Ticks are text, for many readers hold numbers as doubles. */
static uint64_t read_ticks(json_reader *r, const char *key)
{
    const char *text = read_text(r, key, READ_ALONE);
    if (!text)
        return 0;
    errno = 0;
    uint64_t ticks = strtoull(text, NULL, 10);
    bool plain = *text && !text[strspn(text, "0123456789")] && (text[0] != '0' || !text[1]);
    if (!plain || errno)
        read_refuse(r, "\"%s\" is \"%.40s\", not a whole number below 2^64", key, text);
    return ticks;
}

static void read_raw_item(json_reader *r, kt_raw *raw)
{
    raw->state = (kt_stamp_state)read_word(r, "state", READ_ALONE, stamp_state_word, 0);
    raw->has_queue_stamps = read_has(r, "queued_ticks") || read_has(r, "submitted_ticks");
    if (raw->has_queue_stamps) {
        raw->queued_ticks = read_ticks(r, "queued_ticks");
        raw->submitted_ticks = read_ticks(r, "submitted_ticks");
    }
    raw->has_stamps = read_has(r, "start_ticks") || read_has(r, "end_ticks");
    if (raw->has_stamps) {
        raw->start_ticks = read_ticks(r, "start_ticks");
        raw->end_ticks = read_ticks(r, "end_ticks");
    }
    raw->host_before_ns = read_whole(r, "host_before_ns", INT64_MIN, INT64_MAX);
    raw->host_after_ns = read_whole(r, "host_after_ns", INT64_MIN, INT64_MAX);
}

static kt_raw *read_raw(json_reader *r, size_t *count)
{
    *count = 0;
    if (!read_has(r, "raw"))
        return NULL;
    *count = read_list(r, "raw", ANY_SIZE);
    kt_raw *raw = read_alloc(r, *count, sizeof *raw);
    for (size_t i = 0; raw && i < *count; i++) {
        read_enter(r, "raw", i);
        read_raw_item(r, &raw[i]);
        read_leave(r);
    }
    return raw;
}

/* The kind of memory at one end of a copy: the library's own word for it, or NULL. */
static const char *read_memory_kind(json_reader *r, const char *key)
{
    if (read_is_null(r, key))
        return NULL;
    return memory_kind_word(read_word(r, key, READ_ALONE, memory_kind_word, KT_MEMORY_HEAP));
}

/* What was measured, and how. */
static void read_work(json_reader *r, kt_series *series)
{
    series->name = read_text(r, "name", READ_ALONE);
    series->workload = read_text(r, "workload", READ_ALONE);
    series->variant = read_text_or_null(r, "variant");
    series->device = read_text(r, "device", READ_ALONE);
    series->run = (uint32_t)read_whole(r, "run", 0, UINT32_MAX);
    series->step = read_text(r, "step", READ_ALONE);
    series->kind = (kt_series_kind)read_word(r, "kind", READ_ALONE, series_kind_word, 0);
    series->method = (kt_method)read_word(r, "method", READ_ALONE, method_word, 0);
    series->clock = read_text_or_null(r, "clock");
    series->trials = (uint32_t)read_whole(r, "trials", 1, UINT32_MAX);
    series->zero_copy = read_bool(r, "zero_copy");
    series->cold = read_bool(r, "cold");
    series->src = read_memory_kind(r, "src");
    series->dst = read_memory_kind(r, "dst");
    series->bytes = read_number_or_null(r, "bytes", 0);
    series->flops = read_number_or_null(r, "flops", 0);
}

/* What came of it, but for the samples. */
static void read_outcome(json_reader *r, kt_series *series)
{
    series->status = (kt_series_status)read_word(r, "status", READ_ALONE, series_status_word, 0);
    series->error = read_text_or_null(r, "error");
    series->verified = read_bool(r, "verified");
    series->first_use_ns = read_number_or_null(r, "first_use_ns", 0);
    series->warmup_n = (uint32_t)read_whole(r, "warmup_n", 0, UINT32_MAX);
    series->warmup_ns = read_number_or_null(r, "warmup_ns", 0);
    if (!read_is_null(r, "warmup_end"))
        series->warmup_end = (kt_warmup_end)read_word(r, "warmup_end", READ_ALONE, warmup_end_word,
                                                      KT_WARMUP_STEADY);
    if (!read_is_null(r, "stop"))
        series->stop = (kt_stop)read_word(r, "stop", READ_ALONE, stop_word, KT_STOP_REL_ERR);
    read_discarded(r, series->discarded);
    read_summary(r, &series->summary);
    series->median_total_ns = read_number_or_null(r, "median_total_ns", 0);
    series->context_ns = read_number_or_null(r, "context_ns", 0);
    series->speedup = read_number_or_null(r, "speedup", 0);
}

/* Neither of two counts may be so large that their sum is not. */
static void check_outliers(json_reader *r, const kt_summary *summary)
{
    size_t low = summary->outliers_low, high = summary->outliers_high;
    if (low > summary->n || high > summary->n - low)
        read_refuse(r, "\"outliers\" are more than \"n\", which is %zu", summary->n);
}

static void read_series(json_reader *r, kt_report *report)
{
    kt_series series = {0};
    read_work(r, &series);
    read_outcome(r, &series);
    kt_param *params = read_params(r, &series.param_count);
    double *samples_ns = read_samples(r, &series.summary.n);
    int64_t n = read_whole(r, "n", 0, INT64_MAX);
    if ((uint64_t)n != series.summary.n)
        read_refuse(r, "\"n\" is %" PRId64 ", but \"samples_ns\" has %zu numbers", n,
                    series.summary.n);
    check_outliers(r, &series.summary);
    kt_raw *raw = read_raw(r, &series.raw_count);
    series.params = params;
    series.samples_ns = samples_ns;
    series.raw = raw;
    if (!r->failed)
        check(r, kt_report_add_series(report, &series));
    free(params);
    free(samples_ns);
    free(raw);
}

static void read_baseline(json_reader *r, kt_report *report)
{
    kt_baseline baseline = {
        .workload = read_text(r, "workload", READ_ALONE),
        .name = read_text(r, "name", READ_ALONE),
        .flags = read_text(r, "flags", READ_ALONE),
    };
    kt_param *params = read_params(r, &baseline.param_count);
    double *samples_ns = read_samples(r, &baseline.n);
    double median_ns = read_number(r, "median_ns", READ_ALONE, 0);
    baseline.params = params;
    baseline.samples_ns = samples_ns;
    if (!r->failed)
        check(r, kt_report_add_baseline(report, &baseline));
    free(params);
    free(samples_ns);
    if (r->failed)
        return;
    uint32_t last = kt_report_baseline_count(report) - 1;
    if (kt_report_baseline(report, last)->median_ns != median_ns)
        read_refuse(r, "\"median_ns\" is not the median of \"samples_ns\"");
}

/* ---- the document ---- */

static void read_all(json_reader *r, const char *key, size_t most,
                     void (*read_item)(json_reader *r, kt_report *report), kt_report *report)
{
    size_t count = read_list(r, key, most);
    for (size_t i = 0; i < count && !r->failed; i++) {
        read_enter(r, key, i);
        read_item(r, report);
        read_leave(r);
    }
}

/* NULL after a failure. */
static json_t *parse(const char *text, size_t bytes, char *why)
{
    json_error_t error;
    json_t *document = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
    if (document)
        return document;
    if (!error.text[0]) /* jansson has a sentence for everything but this */
        snprintf(why, READ_WHY_BYTES, "out of memory");
    else
        snprintf(why, READ_WHY_BYTES, "line %d, column %d: %s", error.line, error.column,
                 error.text);
    read_make_printable(why);
    return NULL;
}

int read_result_text(const char *text, size_t bytes, kt_report **out, char *why)
{
    json_t *document = parse(text, bytes, why);
    if (!document)
        return -1;
    json_reader r = read_begin(document, why);
    kt_report *report = read_head(&r);
    if (read_has(&r, "backends"))
        read_all(&r, "backends", DEVICES_MAX, read_backend, report);
    read_all(&r, "devices", DEVICES_MAX, read_device, report);
    read_all(&r, "series", ANY_SIZE, read_series, report);
    read_all(&r, "baselines", BASELINES_MAX, read_baseline, report);
    json_decref(document);
    if (r.failed)
        kt_report_destroy(&report);
    else
        *out = report;
    return r.failed ? -1 : 0;
}

/* All of the file as one piece, to be freed; NULL after a failure. */
static char *load(FILE *file, size_t *bytes, char *why)
{
    char *text = NULL;
    size_t room = 0, got;
    *bytes = 0;
    do {
        if (*bytes == room) {
            room = room ? 2 * room : 1 << 16;
            char *longer = room <= FILE_BYTES_MAX ? realloc(text, room) : NULL;
            if (!longer) {
                snprintf(why, READ_WHY_BYTES, "it is too large");
                free(text);
                return NULL;
            }
            text = longer;
        }
        got = fread(text + *bytes, 1, room - *bytes, file);
        *bytes += got;
    } while (got);
    if (ferror(file)) {
        snprintf(why, READ_WHY_BYTES, "it cannot be read: %s", strerror(errno));
        free(text);
        return NULL;
    }
    return text;
}

int read_result_file(const char *path, kt_report **out, char *why)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        snprintf(why, READ_WHY_BYTES, "it cannot be opened: %s", strerror(errno));
        return -1;
    }
    size_t bytes;
    char *text = load(file, &bytes, why);
    fclose(file);
    int result = text ? read_result_text(text, bytes, out, why) : -1;
    free(text);
    return result;
}
