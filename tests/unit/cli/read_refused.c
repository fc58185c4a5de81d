/* SPDX-License-Identifier: MIT */
/* What is no result file, or one with something wrong in it, is refused with its place. */
#include "cli/result_file/read_result.h"
#include "tests/unit/cli/read_document.h"
#include "tests/unit/testing.h"

#include <stdio.h>

static char reason[READ_REASON_BYTES];

static json_text document; /* of document_full() */

static void make_document_of(kt_report *report)
{
    json_text_write(&document, report);
    kt_report_destroy(&report);
}

static void make_document(void)
{
    make_document_of(document_full());
}

static void expect_refused(const json_text *t, const char *sentence)
{
    kt_report *report = NULL;
    reason[0] = '\0';
    if (read_result_text(t->data, t->bytes, &report, reason) == 0)
        fail_msg("taken, though %s", sentence);
    assert_null(report);
    EXPECT_TEXT_HAS(reason, sentence);
}

/* The document with `bytes` at an offset replaced. */
static const json_text *edited(size_t at, size_t bytes, const char *by)
{
    static json_text t;
    size_t length = strlen(by);
    memcpy(t.data, document.data, at);
    memcpy(t.data + at, by, length);
    memcpy(t.data + at + length, document.data + at + bytes, document.bytes - at - bytes + 1);
    t.bytes = document.bytes - bytes + length;
    return &t;
}

/* ` stands for a quotation mark. */
typedef struct spoilt {
    char text[96], by[128], sentence[128];
} spoilt;

static void set_quotes(char *text)
{
    while ((text = strchr(text, '`')) != NULL)
        *text = '"';
}

/* Each `text` of the document, replaced, is refused with the sentence. */
static void expect_all_refused(spoilt *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        set_quotes(cases[i].text);
        set_quotes(cases[i].by);
        set_quotes(cases[i].sentence);
        const char *at = strstr(document.data, cases[i].text);
        if (!at)
            fail_msg("\"%s\" is not in the document", cases[i].text);
        const json_text *t =
            edited((size_t)(at - document.data), strlen(cases[i].text), cases[i].by);
        expect_refused(t, cases[i].sentence);
        assert_string_equal(reason, cases[i].sentence);
    }
}

/* Length of the JSON value at `at`, which begins there. */
static size_t value_length(const char *at)
{
    size_t i = 0;
    int depth = 0;
    bool quoted = false;
    do {
        if (at[i] == '\\')
            i++;
        else if (at[i] == '"')
            quoted = !quoted;
        else if (!quoted)
            depth += (at[i] == '{' || at[i] == '[') - (at[i] == '}' || at[i] == ']');
        i++;
    } while (depth > 0 || quoted || !strchr(",]}\n", at[i]));
    return i;
}

static void diagnostics_fit(void **state)
{
    static spoilt cases[] = {
        {"`diagnostics`", "`diagnostic`", "`diagnostics` is missing"},
        {"`device`: `cuda:0`", "`device`: `cuda:1`",
         "diagnostics[0]: cuda:1 is no device of the report"},
        {"`device`: `cuda:0`", "`device`: null", "diagnostics[0]: `device` is not a text"},
        {"`check`: `resolution`", "`check`: null", "diagnostics[0]: `check` is not a text"},
        {"`severity`: `warning`", "`severity`: `WARNING`",
         "diagnostics[0]: `severity` is `WARNING`, which this version does not know"},
        {"`severity`: `warning`", "`severity`: `unknown`",
         "diagnostics[0]: `severity` is `unknown`, which this version does not know"},
        {"`seen`: `it was \\`seen\\``", "`seen`: null", "diagnostics[0]: `seen` is not a text"},
        {"`seen`:", "`saw`:", "diagnostics[0]: `seen` is missing"},
        {"`means`:", "`mean`:", "diagnostics[0]: `means` is missing"},
        {"`means`: `it means`", "`means`: 1", "diagnostics[0]: `means` is not a text"},
        {"`advice`: `it is to be done`", "`advice`: []", "diagnostics[0]: `advice` is not a text"},
        {"`values`: {", "`value`: {", "diagnostics[0]: `values` is missing"},
        {"`share`: null", "`share`: `a half`", "diagnostics[0].values: `share` is not a number"},
        {"`share`: null", "`resolution_ns`: 2",
         "line 47, column 104: duplicate object key near '`resolution_ns`'"},
    };
    make_document_of(document_doctor());
    expect_all_refused(cases, sizeof cases / sizeof cases[0]);
}

static void states_fit(void **state)
{
    static spoilt cases[] = {
        {"`source`: `NVML, sysfs`", "`source`: null", "devices[0].state: `source` is not a text"},
        {"`core_clock_mhz`: 100", "`core_clock_mhz`: `fast`",
         "devices[0].state: `core_clock_mhz` is not a number"},
        {"`core_clock_mhz`: 100", "`core_clock_mhz`: 0",
         "devices[0].state: `core_clock_mhz` is 0, which is too low"},
        {"`core_clock_mhz`: 100", "`core_clock_mhz`: 100001",
         "devices[0].state: `core_clock_mhz` is 100001, which is too high"},
        {"`clock_setting`", "`mood`",
         "devices[0].state: throttle[1] is `mood`, which this version does not know"},
        {"`energy_j`: `denied`", "`energy_j`: `ok`",
         "devices[0].state.missing: `energy_j` is `ok`, which this version does not know"},
        {"`energy_j`: `denied`", "`temperature_c`: `denied`",
         "devices[0].state.missing: `temperature_c` is not missing"},
        {"`missing`: {", "`missing`: 1, `m`: {", "devices[0].state: `missing` is not an object"},
    };
    make_document_of(document_states());
    expect_all_refused(cases, sizeof cases / sizeof cases[0]);
}

static void states_and_energies_of_series_fit(void **state)
{
    static spoilt cases[] = {
        {"`state`: {", "`state`: [], `s`: {", "series[1]: `state` is not an object"},
        {"`readings`: 3", "`readings`: 0",
         "series[1].state: `readings` is 0, not from 1 to 4294967295"},
        {"`core_clock_mhz`: 1400.5", "`core_clock_mhz`: 0",
         "series[1].state: `core_clock_mhz` is 0, which is too low"},
        {"`core_clock_low_mhz`: 1300", "`core_clock_low_mhz`: 1401",
         "series[1].state: `core_clock_mhz` is not between `core_clock_low_mhz` and "
         "`core_clock_high_mhz`"},
        {"`core_clock_high_mhz`: 1500", "`core_clock_high_mhz`: 100001",
         "series[1].state: `core_clock_high_mhz` is 100001, which is too high"},
        {"`ci95_low_j`: 0.24", "`ci95_low_j`: 0.3",
         "series[1].energy: `dispatch_j` is not between `ci95_low_j` and `ci95_high_j`"},
        {"`temperature_c`: -5", "`temperature_c`: `cold`",
         "series[1].state: `temperature_c` is not a number"},
        {"`power_w`: 0", "`power_w`: -1", "series[1].state: `power_w` is -1, which is too low"},
        {"`left_out`: [`thermal`]", "`left_out`: [`mood`]",
         "series[1].state: left_out[0] is `mood`, which this version does not know"},
        {"`left_out`: ", "`later`: ", "series[1].state: `left_out` is missing"},
        {"`kept_throttled`: 7", "`kept_throttled`: 7.5",
         "series[1].state: `kept_throttled` is not a whole number"},
        {"`waited_s`: 0.5", "`waited_s`: null", "series[1].state: `waited_s` is not a number"},
        {"`energy`: {", "`energy`: 1, `e`: {", "series[1]: `energy` is not an object"},
        {"`dispatch_j`: 0.25", "`dispatch_j`: -0.25",
         "series[1].energy: `dispatch_j` is -0.25, which is too low"},
        {"`dispatch_j`: 0.25", "`dispatch_j`: null",
         "series[1].energy: either `reason` or `dispatch_j` must be null"},
        {"`reason`: null", "`reason`: `why`",
         "series[1].energy: either `reason` or `dispatch_j` must be null"},
        {"`update_ms`: 20.5", "`update_ms`: 0",
         "series[1].energy: `update_ms` is 0, which is too low"},
        {"`windows`: 12", "`windows`: -1",
         "series[1].energy: `windows` is -1, not from 0 to 4294967295"},
        {"`dispatches`: ", "`dispatched`: ", "series[1].energy: `dispatches` is missing"},
    };
    make_document_of(document_measured());
    expect_all_refused(cases, sizeof cases / sizeof cases[0]);
}

/* The document with null in place of the first object of `key`, read. */
static kt_report *read_without(const char *key)
{
    char begin[32];
    snprintf(begin, sizeof begin, "\"%s\": {", key);
    const char *at = strstr(document.data, begin);
    assert_non_null(at);
    at += strlen(begin) - 1;
    const json_text *t = edited((size_t)(at - document.data), value_length(at), "null");
    kt_report *report = NULL;
    if (read_result_text(t->data, t->bytes, &report, reason) != 0)
        fail_msg("%s", reason);
    return report;
}

static void states_and_energies_may_be_null(void **state)
{
    make_document_of(document_measured());
    kt_report *report = read_without("state");
    assert_int_equal(kt_report_series(report, 1)->state.readings, 0);
    assert_non_null(kt_report_series(report, 1)->energy);
    kt_report_destroy(&report);
    report = read_without("energy");
    assert_null(kt_report_series(report, 1)->energy);
    assert_int_equal(kt_report_series(report, 1)->state.readings, 3);
    kt_report_destroy(&report);
}

static void refusals_name_the_place(void **state)
{
    static spoilt cases[] = {
        {"kerntime/1", "kerntime/2",
         "it was written by a newer kerntime: its schema is `kerntime/2`, and this version reads "
         "kerntime/1"},
        {"kerntime/1", "kerntime/x",
         "it is not a result file of kerntime: its schema is `kerntime/x`"},
        {"kerntime/1", "kerntime/",
         "it is not a result file of kerntime: its schema is `kerntime/`"},
        {"kerntime/1", "kerntime/01",
         "it is not a result file of kerntime: its schema is `kerntime/01`"},
        {"kerntime/1", "other/1", "it is not a result file of kerntime: its schema is `other/1`"},
        {"`schema`", "`schemas`", "it is not a result file of kerntime: `schema` is missing"},
        {"`document`: `result`", "`document`: `registry`",
         "it is what a program recorded of itself (a registry), not a result"},
        {"`document`: `result`", "`document`: `compare`", "it is a comparison, not a result"},
        {"`document`: `result`", "`document`: `other`",
         "`document` is `other`, which is none of result, devices and doctor"},
        {"`document`: `result`", "`document`: `doctor`", "`diagnostics` is missing"},
        {"`launch`: null", "`launch`: {`rank`: 8, `size`: 8}",
         "launch: `rank` is 8, and `size` is 8"},
        {"`cores`: ", "`cores`: -", "host: `cores` is -2, not from 0 to 4294967295"},
        {"`median_ns`: 0.3333333333333333,", "`median_ns`: `4`,",
         "series[0]: `median_ns` is not a number"},
        {"`median_ns`: 0.3333333333333333,", "`median_ns`: -4,",
         "series[0]: `median_ns` is -4, which is too low"},
        {"`median_ns`: 0.3333333333333333,",
         "`median_ns`: 0.3333333333333333, `median_ns`: 0.3333333333333333,",
         "line 94, column 50: duplicate object key near '`median_ns`'"},
        {"`status`: `partial`", "`status`: `par\\ttial\\u001b`",
         "series[0]: `status` is `par?tial?`, which this version does not know"},
        {"`stop`: `max_time`", "`stop`: `none`",
         "series[0]: `stop` is `none`, which this version does not know"},
        {"`stop`: `max_time`", "`stop`: `unknown`",
         "series[0]: `stop` is `unknown`, which this version does not know"},
        {"`src`: `heap`", "`src`: `default`",
         "series[0]: `src` is `default`, which this version does not know"},
        {"`memory_kinds`: [`heap`]", "`memory_kinds`: [`heap`, `attic`]",
         "devices[0]: memory_kinds[1] is `attic`, which this version does not know"},
        {"`copies`: [`heap-heap`]", "`copies`: [`heap-attic`]",
         "devices[0]: copies[0] is `heap-attic`, which this version does not know"},
        {"`maps`: [`shared`]", "`maps`: [`attic`]",
         "devices[0]: maps[0] is `attic`, which this version does not know"},
        {"`n`: 7", "`n`: 8", "series[0]: `n` is 8, but `samples_ns` has 7 numbers"},
        {"52.083333", "-1", "series[0]: samples_ns[1] is -1, which is too low"},
        {"52.083333", "null", "series[0]: samples_ns[1] is not a number"},
        {"52.083333", "1e999", "line 91, column 46: real number overflow near '1e999'"},
        {"52.083333", "9223372036854775808",
         "line 91, column 60: too big integer near '9223372036854775808'"},
        {"52.083333", "NaN", "line 91, column 44: invalid token near 'NaN'"},
        {"52.083333", "\x1b[2J", "line 91, column 42: invalid token near '?'"},
        {"`trials`: 4", "`trials`: 0", "series[0]: `trials` is 0, not from 1 to 4294967295"},
        {"`trials`: 4", "`trials`: 4294967296",
         "series[0]: `trials` is 4294967296, not from 1 to 4294967295"},
        {"`trials`: 4", "`trials`: 4.0", "series[0]: `trials` is not a whole number"},
        {"`verified`: true", "`verified`: 1", "series[0]: `verified` is neither true nor false"},
        {"`lost`: ", "`lost`: 1",
         "series[0].discarded: `lost` is 14294967290, not from 0 to 4294967295"},
        {"[8, 9]", "[8]", "series[0]: `ci95_ns` has not two numbers"},
        {"[8, 9]", "[8, 9, 9]", "series[0]: `ci95_ns` has 3 items, which is more than 2"},
        {"[8, 9]", "[9, 8]", "series[0]: `ci95_ns` ends before it begins"},
        {"[-12, 14]", "[12, 14, 15]", "series[0]: `p95_ci95_ns` has 3 items, which is more than 2"},
        {"[-12, 14]", "[14, 12]", "series[0]: `p95_ci95_ns` ends before it begins"},
        {"`robust_stddev_ns`: 15", "`robust_stddev_ns`: -15",
         "series[0]: `robust_stddev_ns` is -15, which is too low"},
        {"`resolution_ns`: 16", "`resolution_ns`: 0",
         "series[0]: `resolution_ns` is 0, which is too low"},
        {"{`low`: 3, `high`: 4}", "{`low`: 4, `high`: 4}",
         "series[0]: `outliers` are more than `n`, which is 7"},
        {"{`low`: 3, `high`: 4}", "{`low`: 8, `high`: 9223372036854775807}",
         "series[0]: `outliers` are more than `n`, which is 7"},
        {"{`low`: 3, `high`: 4}", "{`low`: 3, `high`: 0.5}",
         "series[0].outliers: `high` is 0.5, not a whole number"},
        {"{`low`: 3, `high`: 4}", "{`low`: -1, `high`: 4}",
         "series[0].outliers: `low` is -1, which is too low"},
        {"`median_ns`: 0.3333333333333333,", "`median_ns`: null,",
         "series[0]: `median_ns` is not the median of `samples_ns`"},
        {"`inflation`: 17", "`inflation`: -1", "series[0]: `inflation` is -1, which is too low"},
        {"`coarse_clock`]", "`coarse_clock`, `boredom`]",
         "series[0]: `warnings` has 5 items, which is more than 4"},
        {"`coarse_clock`]", "`boredom`]",
         "series[0]: warnings[3] is `boredom`, which this version does not know"},
        {"`bimodal`, `coarse_clock`]", "`coarse_clock`, `bimodal`]",
         "series[0]: `warnings` are not in their order, each once"},
        {"`bimodal`, `coarse_clock`]", "`bimodal`, `bimodal`]",
         "series[0]: `warnings` are not in their order, each once"},
        {"`drift`, `bimodal`", "`bimodal`", "series[0]: `drift` does not fit `warnings`"},
        {"`drift`: -0.25", "`drift`: null", "series[0]: `drift` does not fit `warnings`"},
        {"`bimodal`, `coarse_clock`", "`coarse_clock`",
         "series[0]: `clusters` does not fit `warnings`"},
        {"`clusters`: {`low_ns`: 18, `high_ns`: 19, `high_share`: 1}", "`clusters`: null",
         "series[0]: `clusters` does not fit `warnings`"},
        {"`low_ns`: 18", "`low_ns`: 19",
         "series[0]: `high_ns` of `clusters` is not above `low_ns`"},
        {"`high_share`: 1", "`high_share`: 1.5",
         "series[0].clusters: `high_share` is 1.5, not from 0 to 1"},
        {"`high_share`: 1", "`high_share`: -0.5",
         "series[0].clusters: `high_share` is -0.5, which is too low"},
        {"`cold`: true", "`cold`: 1", "series[0]: `cold` is neither true nor false"},
        {"`warmup_ns`: 13.5", "`warmup_ns`: -13.5",
         "series[0]: `warmup_ns` is -13.5, which is too low"},
        {"`short`", "`none`",
         "series[0]: `warmup_end` is `none`, which this version does not know"},
        {"`18446744073709551615`", "`18446744073709551616`",
         "series[0].raw[0]: `end_ticks` is `18446744073709551616`, not a whole number below 2^64"},
        {"`18446744073709551615`", "`01`",
         "series[0].raw[0]: `end_ticks` is `01`, not a whole number below 2^64"},
        {"`18446744073709551615`", "``",
         "series[0].raw[0]: `end_ticks` is ``, not a whole number below 2^64"},
        {"`18446744073709551615`", "`-1`",
         "series[0].raw[0]: `end_ticks` is `-1`, not a whole number below 2^64"},
        {"`18446744073709551615`", "5", "series[0].raw[0]: `end_ticks` is not a text"},
        {"`throttled`, ", "`throttled`, `start_ticks`: `1`, ",
         "series[0].raw[1]: `end_ticks` is missing"},
        {"`throttled`, ", "`throttled`, `elapsed_ms`: 1, ",
         "series[0].raw[1]: `gap_ms` is missing"},
        {"`throttled`, ", "`throttled`, `elapsed_ms`: 1e39, `gap_ms`: 0, ",
         "series[0].raw[1]: `elapsed_ms` is 1e+39, more than any such distance"},
        {"`negative`, ", "`negative`, `start_ticks`: `1`, `end_ticks`: `2`, ",
         "series[0].raw[2]: both ticks and distances are given"},
        {"`throttled`, ", "`throttled`, `context_start_ticks`: `1`, `context_end_ticks`: `2`, ",
         "series[0].raw[1]: ticks of the clock that pauses stand alone"},
        {"`context_start_ticks`: `8`, ", "", "series[0].raw[3]: `context_start_ticks` is missing"},
        {"`reported_period_ns`: 83", "`reported_period_ns`: 0",
         "devices[0].clocks[1]: `reported_period_ns` is 0, not from 1 to 4294967295"},
        {"`pauses`: true", "`pauses`: 1",
         "devices[0].clocks[1]: `pauses` is neither true nor false"},
        {"`cooperative`", "`kernels`",
         "devices[0].queue_groups[1]: kinds[1] is `kernels`, which this version does not know"},
        {"`queues`: 8", "`queues`: -8",
         "devices[0].queue_groups[1]: `queues` is -8, not from 0 to 4294967295"},
        {"`clock_period_ns`: 83.125", "`clock_period_ns`: 0",
         "series[0]: `clock_period_ns` is 0, which is too low"},
        {"`clock_resolution_ns`: 1.25", "`clock_resolution_ns`: 0",
         "series[0]: `clock_resolution_ns` is 0, which is too low"},
        {"{`size`: 8}", "{`size`: 8.5}", "series[0].params: `size` is not a whole number"},
        {"{`size`: 8}", "[8]", "series[0]: `params` is not an object"},
        {"`valid_bits`: 32", "`valid_bits`: 65",
         "devices[0].clocks[0]: `valid_bits` is 65, which is not a whole number up to 64"},
        {"`valid_bits`: 32", "`valid_bits`: 0",
         "devices[0].clocks[0]: `valid_bits` is 0, which is too low"},
        {"`valid_bits_min`: null", "`valid_bits_min`: 31",
         "devices[0].clocks[0]: `valid_bits` and `valid_bits_min` are both known"},
        {"`valid_bits_min`: null", "`valid_bits_min`: 65",
         "devices[0].clocks[0]: `valid_bits_min` is 65, which is not a whole number up to 64"},
        {"`period_uncertainty_ns`: 0.75", "`period_uncertainty_ns`: -0.75",
         "devices[0].clocks[1]: `period_uncertainty_ns` is -0.75, which is too low"},
        {"`drift_ppm`: -4.25", "`drift_ppm`: `slow`",
         "devices[0].clocks[0]: `drift_ppm` is not a number"},
        {"`period_source`: `reported`", "`period_source`: `none`",
         "devices[0].clocks[0]: `period_source` is `none`, which this version does not know"},
        {"`relation_source`: `bracketed_submissions`", "`relation_source`: `unknown`",
         "devices[0].clocks[0]: `relation_source` is `unknown`, which this version does not know"},
        {"`clock_error`: `no clock`", "`clock_error`: false",
         "devices[0]: `clock_error` is not a text"},
        {"`quirk`: `it cuts long loops`", "`quirk`: []", "devices[0]: `quirk` is not a text"},
        {"`period_ns`: 0.5", "`period_ns`: 0",
         "devices[0].clocks[0]: `period_ns` is 0, which is too low"},
        {"`name`: `kernel`", "`name`: `123456789012345678901234`",
         "devices[0].clocks[0]: `name` is longer than 23 bytes"},
        {"`compute_units`: 2", "`compute_units`: 2.5",
         "devices[0]: `compute_units` is 2.5, which is not a whole number up to 4.29497e+09"},
        {"`compute_units`: 2", "`compute_units`: 0",
         "devices[0]: `compute_units` is 0, which is too low"},
        {"`memory_bytes`: 4", "`memory_bytes`: 1.9e19",
         "devices[0]: `memory_bytes` is 1.9e+19, which is not a whole number up to 1.84467e+19"},
        {"`a name`", "`a\\u0000name`",
         "line 17, column 27: \\u0000 is not allowed without JSON_ALLOW_NUL near '`a\\u0000name`'"},
        {"a name", "\xff", "line 17, column 15: unable to decode byte 0xff near '`'"},
        {"`median_ns`: 0.3333333333333333,", "`median_ns`: 0.333333334,",
         "series[0]: `median_ns` is not the median of `samples_ns`"},
        {"`median_ns`: 26.208333166666666", "`median_ns`: 26",
         "baselines[0]: `median_ns` is not the median of `samples_ns`"},
    };
    make_document();
    expect_all_refused(cases, sizeof cases / sizeof cases[0]);
}

/* Whether the key is one of those between spaces. */
static bool is_among(const char *key, const char *keys)
{
    char wanted[40];
    snprintf(wanted, sizeof wanted, " %s ", key);
    return strstr(keys, wanted) != NULL;
}

static const kt_summary_field *find_field(const char *key)
{
    const kt_summary_field *field;
    for (size_t i = 0; (field = kt_summary_get_field(i)) != NULL; i++)
        if (strcmp(*field->group ? field->group : field->column, key) == 0)
            break;
    return field;
}

/* Whether the reader ignores a key, since it follows from the samples: intervals of speed-ups, and
 * statistics of baselines. */
static bool is_computed(const char *key, const char *at)
{
    bool of_baseline = at > strstr(document.data, "\"baselines\": ");
    return is_among(key, " speedup_ci95 speedup_best speedup_best_ci95 ") ||
           (of_baseline && strcmp(key, "median_ns") != 0 &&
            (find_field(key) || is_among(key, " n warnings low high low_ns high_ns high_share ")));
}

/* Calls `use` for each key of the document that is not ignored: where its name begins, and where its value. */
static unsigned for_each_key(void (*use)(const char *key, size_t key_at, size_t value_at))
{
    unsigned count = 0;
    make_document();
    for (const char *at = document.data; (at = strstr(at, "\": ")) != NULL; at += 3) {
        const char *begin = at;
        while (begin[-1] != '"')
            begin--;
        char key[32];
        snprintf(key, sizeof key, "%.*s", (int)(at - begin), begin);
        if (is_computed(key, begin))
            continue;
        use(key, (size_t)(begin - document.data), (size_t)(at + 3 - document.data));
        count++;
    }
    return count;
}

/* Whether a key of the table of fields may be null or missing: not if other keys require it. */
static bool is_free_field(const char *key)
{
    const kt_summary_field *field = find_field(key);
    return field && !field->warning && strcmp(key, "median_ns") != 0;
}

static void rename_key(const char *key, size_t key_at, size_t value_at)
{
    (void)value_at;
    static const char optional[] =
        " backends raw size valid_bits_min drift_ppm period_source relation_source clock_error "
        "clock_resolution_ns clock_period_ns context_missing fastest quirk document_id boot_id "
        "launch wrong pci_address uuid serial "
        "timestamp_overhead_error_ns max_argument_bytes copies maps queue_groups "
        "reported_period_ns period_uncertainty_ns "
        "pauses clock_limits threads ";
    const json_text *t = edited(key_at, 0, "x");
    char sentence[64];
    bool outer = document.data + key_at < strstr(document.data, "\"series\": ");
    if (!is_among(key, optional) && (outer || !is_free_field(key))) {
        snprintf(sentence, sizeof sentence,
                 outer || !find_field(key) ? "\"%s\" is missing" : "\"%s\" ", key);
        expect_refused(t, sentence);
        return;
    }
    kt_report *report;
    assert_int_equal(read_result_text(t->data, t->bytes, &report, reason), 0);
    kt_report_destroy(&report);
}

static void every_key_must_be_there(void **state)
{
    assert_true(for_each_key(rename_key) > 100);
}

static void spoil_value(const char *key, size_t key_at, size_t value_at)
{
    (void)key_at;
    expect_refused(edited(value_at, value_length(document.data + value_at), "[{}]"), key);
}

static void nullify_value(const char *key, size_t key_at, size_t value_at)
{
    (void)key_at;
    static const char nullable[] =
        " cpu missing launch pci_address uuid serial vendor vendor_id compute_units memory_bytes "
        "min_span_ns "
        "max_memory_bytes max_argument_bytes max_group_size frequency_hz domain "
        "period_ns uncertainty_ns valid_bits valid_bits_min drift_ppm period_source "
        "relation_source clock_error quirk untrusted variant timestamp_overhead_ns error clock "
        "src dst bytes flops first_use_ns warmup_ns warmup_end stop median_total_ns context_ns "
        "speedup elapsed_ms gap_ms threads ";
    const json_text *t = edited(value_at, value_length(document.data + value_at), "null");
    kt_report *report;
    int result = read_result_text(t->data, t->bytes, &report, reason);
    bool taken = result == 0;
    if (taken)
        kt_report_destroy(&report);
    /* Two keys are known in two places: `clock` of the host, and `error` in `discarded`. */
    const char *before = document.data + value_at;
    bool elsewhere = strncmp(before, "\"CLOCK", 6) == 0 || strncmp(before, "4294967", 7) == 0;
    if (taken != ((is_among(key, nullable) || is_free_field(key)) && !elsewhere))
        fail_msg("null for %s is %s", key, taken ? "taken" : reason);
}

static void every_value_has_its_type(void **state)
{
    assert_true(for_each_key(spoil_value) > 100);
    assert_true(for_each_key(nullify_value) > 100);
}

static void a_device_stands_once(void **state)
{
    make_document();
    const char *device = strstr(strstr(document.data, "\"devices\": ["), "{");
    static char twice[4096];
    size_t length = value_length(device);
    snprintf(twice, sizeof twice, "%.*s, %.*s", (int)length, device, (int)length, device);
    expect_refused(edited((size_t)(device - document.data), length, twice),
                   "devices[1]: \"id\" is that of a device before it");
}

static void unknown_keys_are_ignored(void **state)
{
    make_document();
    static json_text added, again;
    added.bytes = 0;
    for (const char *at = document.data; *at; at++) {
        json_text_collect(&added, at, 1);
        if (*at == '{' && at > document.data && strncmp(at, "{\"size\"", 7) != 0)
            assert_int_equal(json_text_collect(&added, "\"later\":[{\"a\":1}],", 18), 0);
    }
    kt_report *report = NULL;
    if (read_result_text(added.data, added.bytes, &report, reason) != 0)
        fail_msg("%s", reason);
    assert_string_equal(json_text_write(&again, report)->data, document.data);
    kt_report_destroy(&report);
}

static void cut_off_anywhere_it_is_refused(void **state)
{
    make_document();
    static json_text t;
    for (size_t bytes = 0; bytes < document.bytes - 2; bytes++) {
        memcpy(t.data, document.data, bytes);
        t.bytes = bytes;
        expect_refused(&t, bytes ? "line " : "it is empty");
    }
}

static void files_that_are_none(void **state)
{
    kt_report *report = NULL;
    assert_int_equal(read_result_file("/no/such/file", &report, reason), READ_REFUSED);
    assert_string_equal(reason, "it cannot be opened: No such file or directory");
    assert_int_equal(read_result_file("/", &report, reason), READ_OTHER);
    assert_string_equal(reason, "it cannot be read: Is a directory");
    assert_null(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals_name_the_place),
        cmocka_unit_test(diagnostics_fit),
        cmocka_unit_test(states_fit),
        cmocka_unit_test(states_and_energies_of_series_fit),
        cmocka_unit_test(states_and_energies_may_be_null),
        cmocka_unit_test(every_key_must_be_there),
        cmocka_unit_test(every_value_has_its_type),
        cmocka_unit_test(a_device_stands_once),
        cmocka_unit_test(unknown_keys_are_ignored),
        cmocka_unit_test(cut_off_anywhere_it_is_refused),
        cmocka_unit_test(files_that_are_none),
    };
    return cmocka_run_group_tests_name("read_refused", tests, NULL, NULL);
}
