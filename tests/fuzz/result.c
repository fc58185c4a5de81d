/* SPDX-License-Identifier: MIT */
/* Result files: what is taken is written, and read and written again, as the same bytes. */
#include "cli/result_file/read_result.h"
#include "fuzz.h"

typedef struct output {
    char *data;
    size_t bytes;
} output;

static int collect(void *user, const char *data, size_t bytes)
{
    output *to = user;
    to->data = realloc(to->data, to->bytes + bytes);
    CHECK(to->data);
    memcpy(to->data + to->bytes, data, bytes);
    to->bytes += bytes;
    return 0;
}

static output write_out(const kt_report *report)
{
    output text = {0};
    const kt_sink sink = {.write = collect, .user = &text};
    CHECK(kt_report_write(report, KT_FORMAT_JSON, &sink) == KT_OK);
    return text;
}

/* Each format reads all of it in another way. */
static int look(void *user, const char *data, size_t bytes)
{
    (void)user;
    return memchr(data, '\0', bytes) != NULL;
}

static int is_key(const char *key, const char *wanted)
{
    return key && strcmp(key, wanted) == 0;
}

/* Files of versions before may lack them, and any field of the summary. */
static int is_later_key(const char *key)
{
    const kt_summary_field *field;
    for (size_t i = 0; (field = kt_summary_get_field(i)) != NULL; i++)
        if (is_key(key, *field->group ? field->group : field->column))
            return 1;
    for (int i = 0; i < KT_STATE_VALUE_COUNT; i++)
        if (is_key(key, kt_state_value_name((kt_state_value)i)))
            return 1;
    return is_key(key, "valid_bits_min") || is_key(key, "drift_ppm") ||
           is_key(key, "period_source") || is_key(key, "relation_source") ||
           is_key(key, "clock_error") || is_key(key, "quirk") ||
           is_key(key, "max_argument_bytes") || is_key(key, "boot_id") || is_key(key, "launch") ||
           is_key(key, "pci_address") || is_key(key, "uuid") || is_key(key, "serial");
}

/* Lists that files of versions before may lack. */
static int is_later_list(const char *key)
{
    return is_key(key, "copies") || is_key(key, "maps");
}

/* Made anew of series and baselines whenever a file is written. */
static int is_made_anew(const json_t *read, const json_t *written, const char *key)
{
    return is_key(key, "transfers") || is_key(key, "speedup_ci95") || is_key(key, "speedup_best") ||
           is_key(key, "speedup_best_ci95") || is_key(key, "gflop_per_j") ||
           (is_key(key, "zero_copy") && json_is_false(read) && json_is_true(written));
}

static void check_same(json_t *read, json_t *written, const char *key);

/* All but their statistics, which are made anew of the samples. */
static void check_baselines(json_t *read, json_t *written)
{
    static const char *const keys[] = {"workload", "params",     "name",
                                       "flags",    "samples_ns", "median_ns"};
    CHECK(json_array_size(read) == json_array_size(written));
    for (size_t i = 0; i < json_array_size(read); i++)
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
            check_same(json_object_get(json_array_get(read, i), keys[k]),
                       json_object_get(json_array_get(written, i), keys[k]), keys[k]);
}

/* What was written is what had been read: only unknown keys, and the order of keys, may differ. */
static void check_same(json_t *read, json_t *written, const char *key)
{
    if (!read && json_is_null(written) && is_later_key(key))
        return;
    if ((!read && is_later_list(key) && json_array_size(written) == 0) ||
        is_made_anew(read, written, key))
        return;
    if (is_key(key, "baselines")) {
        check_baselines(read, written);
        return;
    }
    CHECK(read);
    /* An empty text for what is not known, an order of their own, a speed-up to be filled in. */
    if ((json_is_null(written) && json_is_string(read) && json_string_length(read) == 0) ||
        is_key(key, "memory_kinds") || is_key(key, "kinds") || is_key(key, "throttle") ||
        is_key(key, "left_out") || is_later_list(key) ||
        (json_is_null(read) && is_key(key, "speedup")))
        return;
    /* Times, and what findings tell, are held as doubles. */
    if (json_is_number(read) && json_is_number(written)) {
        CHECK(json_number_value(read) == json_number_value(written));
        return;
    }
    CHECK(json_typeof(read) == json_typeof(written));
    CHECK(!json_is_string(read) ||
          strcmp(json_string_value(read), json_string_value(written)) == 0);
    CHECK(json_array_size(read) == json_array_size(written));
    for (size_t i = 0; i < json_array_size(read); i++)
        check_same(json_array_get(read, i), json_array_get(written, i), NULL);
    const char *member;
    json_t *value;
    json_object_foreach(written, member, value)
        check_same(json_object_get(read, member), value, member);
}

static void check_content(const char *text, size_t bytes, const output *written)
{
    json_t *before = json_loadb(text, bytes, 0, NULL);
    json_t *after = json_loadb(written->data, written->bytes, 0, NULL);
    CHECK(before && after);
    check_same(before, after, NULL);
    json_decref(before);
    json_decref(after);
}

static void check_report(const kt_report *report, const char *text, size_t bytes)
{
    char reason[READ_REASON_BYTES];
    kt_report *copy = NULL;
    output first = write_out(report);
    check_content(text, bytes, &first);
    CHECK(read_result_text(first.data, first.bytes, &copy, reason) == 0);
    output second = write_out(copy);
    CHECK(first.bytes == second.bytes && memcmp(first.data, second.data, first.bytes) == 0);
    CHECK(kt_report_series_count(copy) == kt_report_series_count(report));
    CHECK(kt_report_device_count(copy) == kt_report_device_count(report));
    CHECK(kt_report_diagnostic_count(copy) == kt_report_diagnostic_count(report));
    const kt_sink sink = {.write = look};
    for (int format = KT_FORMAT_TABLE; format < KT_FORMAT_COUNT; format++)
        CHECK(kt_report_write(report, (kt_format)format, &sink) == KT_OK);
    kt_report_destroy(&copy);
    free(first.data);
    free(second.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    kt_report *report;
    char reason[READ_REASON_BYTES];
    fuzz_fill(&report, sizeof report);
    fuzz_fill(reason, sizeof reason);
    /* A copy: the reader must not need a zero at the end, and the sanitizer sees if it does. */
    char *text = malloc(bytes ? bytes : 1);
    CHECK(text);
    if (bytes)
        memcpy(text, data, bytes);
    if (read_result_text(text, bytes, &report, reason) == 0) {
        check_report(report, text, bytes);
        kt_report_destroy(&report);
    } else {
        fuzz_check_untouched(&report, sizeof report);
        fuzz_check_sentence(reason, sizeof reason);
        for (const char *at = reason; *at; at++)
            CHECK((unsigned char)*at >= 0x20 && *at != 0x7F);
    }
    kt_report *brief = NULL;
    read_kind kind;
    if (read_medians_text(text, bytes, &kind, &brief, reason) == READ_DONE)
        kt_report_destroy(&brief);
    free(text);
    return 0;
}
