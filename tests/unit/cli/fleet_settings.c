/* SPDX-License-Identifier: MIT */
/* Fleets of devices that differ in power limit and clock settings, or that were throttled: which of
 * them are compared, and what is said of them. Files are made by hand. */
#include "cli/fleet/fleet.h"
#include "cli/result_file/read_result.h"
#include "tests/unit/documents.h"
#include "tests/unit/testing.h"

#include <stdio.h>

#define FILES_MAX 16

/* What a file says of its one device. */
typedef struct made {
    double power_limit_w, clocks_locked, core_clock_max_mhz; /* NaN: unknown */
    double median_ns;
    uint32_t sample_count, left_out, left_out_for, throttle;
    int node;
} made;

static made files[FILES_MAX];
static cli_options options;
static fleet of;

int __wrap_read_medians_file(const char *path, read_kind *kind, kt_report **out, char *reason);

static void set(kt_device_state *state, kt_state_value value, double to)
{
    state->value[value] = to;
    state->reading[value] = isnan(to) ? KT_READING_UNSUPPORTED : KT_READING_OK;
}

/* "/dev/null/3.json" is files[3]. */
int __wrap_read_medians_file(const char *path, read_kind *kind, kt_report **out, char *reason)
{
    (void)reason;
    unsigned number = 0;
    char node[16];
    sscanf(strrchr(path, '/'), "/%u", &number);
    const made *m = &files[number];
    snprintf(node, sizeof node, "n%d", m->node);
    const kt_report_origin origin = {
        .version = "1", .started = "", .os = "", .clock = "", .host = node};
    const kt_report_desc desc = {.size = sizeof desc, .origin = &origin};
    const kt_document_device device = make_device("hip:0", "a GPU");
    kt_device_state state = {.source = "amdgpu"};
    set(&state, KT_STATE_POWER_LIMIT, m->power_limit_w);
    set(&state, KT_STATE_CLOCKS_LOCKED, m->clocks_locked);
    set(&state, KT_STATE_CORE_CLOCK_MAX, m->core_clock_max_mhz);
    kt_series series = make_series("work/8", "hip:0", m->median_ns);
    series.discarded[KT_TIMESTAMP_OK] = m->sample_count;
    series.discarded[KT_TIMESTAMP_THROTTLED] = m->left_out;
    series.state =
        (kt_state_summary){.readings = 1, .left_out = m->left_out_for, .throttle = m->throttle};
    EXPECT_OK(kt_report_create(out, &desc));
    EXPECT_OK(kt_report_add_device(*out, &device.info, NULL));
    EXPECT_OK(kt_report_set_device_state(*out, "hip:0", &state));
    EXPECT_OK(kt_report_add_series(*out, &series));
    *kind = READ_RESULT;
    return READ_DONE;
}

static int begin(void **state)
{
    (void)state;
    for (int i = 0; i < FILES_MAX; i++)
        files[i] = (made){.power_limit_w = 400,
                          .clocks_locked = 0,
                          .core_clock_max_mhz = 1410,
                          .median_ns = 1e5 + i,
                          .sample_count = 90,
                          .node = i};
    return 0;
}

static int end(void **state)
{
    (void)state;
    fleet_free(&of);
    return 0;
}

/* Merges the first `count` files. Their names exist, and what is in them is never read. */
static void merge(int count)
{
    static char paths[FILES_MAX][64];
    static char *operands[FILES_MAX];
    fleet_free(&of);
    options.operands = operands;
    options.operand_count = count;
    for (int i = 0; i < count; i++) {
        snprintf(paths[i], sizeof paths[i], "/dev/null/%d.json", i);
        operands[i] = paths[i];
    }
    of = (fleet){.options = &options, .min_effect = 0.03, .alpha = 0.05};
    assert_int_equal(fleet_read(&of), EXIT_DONE);
    assert_int_equal(fleet_merge(&of), EXIT_DONE);
}

static const char *group_of(size_t file)
{
    for (size_t i = 0; i < of.device_count; i++)
        if (of.devices[i].file == file)
            return of.groups[of.devices[i].group].label;
    return "no device";
}

static const fleet_device *device_of(size_t file)
{
    for (size_t i = 0; i < of.device_count; i++)
        if (of.devices[i].file == file)
            return &of.devices[i];
    fail_msg("no device of file %zu", file);
    return NULL;
}

static void expect_note(const char *text)
{
    for (size_t i = 0; i < of.note_count; i++)
        if (strcmp(of.notes[i], text) == 0)
            return;
    for (size_t i = 0; i < of.note_count; i++)
        print_error("note: %s\n", of.notes[i]);
    fail_msg("there is no note \"%s\"", text);
}

static void settings_that_all_share_are_not_said(void **state)
{
    (void)state;
    files[1].power_limit_w = 400.4; /* as a driver that counts mW says it */
    merge(4);
    assert_int_equal(of.group_count, 1);
    assert_string_equal(of.groups[0].label, "a GPU"); /* its driver's name */
    assert_false(of.groups[0].is_split);
    assert_int_equal(of.groups[0].settings.power_limit_w, 400);
    assert_int_equal(of.groups[0].settings.core_clock_max_mhz, 1410);
    assert_int_equal(of.groups[0].settings.clocks_locked, 0);
}

static void other_settings_are_other_groups(void **state)
{
    (void)state;
    files[5].power_limit_w = 300;
    merge(6);
    assert_int_equal(of.group_count, 2);
    assert_string_equal(group_of(0), "a GPU, power limit 400 W");
    assert_string_equal(group_of(5), "a GPU, power limit 300 W");
    expect_note("1 device of a GPU [a GPU, power limit 300 W] has no peers: not judged, such as n5 "
                "hip:0");
    assert_string_equal(device_of(5)->reason, "too few devices of its model and settings");
    files[4].clocks_locked = 1;
    files[3].core_clock_max_mhz = NAN;
    merge(6);
    assert_int_equal(of.group_count, 4);
    assert_string_equal(group_of(0),
                        "a GPU, power limit 400 W, clocks not locked, largest core clock 1410 MHz");
    assert_string_equal(group_of(4),
                        "a GPU, power limit 400 W, clocks locked, largest core clock 1410 MHz");
    assert_string_equal(group_of(3),
                        "a GPU, power limit 400 W, clocks not locked, largest core clock unknown");
}

/* Unknown is a value of its own, not that of the others. */
static void what_is_unknown_is_no_setting(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        files[i].power_limit_w = files[i].clocks_locked = files[i].core_clock_max_mhz = NAN;
    merge(4);
    assert_int_equal(of.group_count, 1);
    assert_int_equal(of.groups[0].settings.power_limit_w, FLEET_UNKNOWN);
    merge(8);
    assert_int_equal(of.group_count, 2);
    assert_string_equal(group_of(0), "a GPU, power limit unknown, clocks perhaps locked, largest "
                                     "core clock unknown");
}

static void throttling_has_a_share_and_reasons(void **state)
{
    (void)state;
    files[2].left_out = 10;
    files[2].left_out_for = KT_THROTTLE_THERMAL | KT_THROTTLE_POWER_CAP;
    files[3].throttle = KT_THROTTLE_HARDWARE;
    files[3].median_ns = 2e5;
    merge(5);
    assert_int_equal(of.counts.throttled, 1);
    EXPECT_NEAR(fleet_left_out(device_of(2)), 0.1, 1e-12);
    assert_int_equal(device_of(2)->left_out_for, KT_THROTTLE_THERMAL | KT_THROTTLE_POWER_CAP);
    assert_string_equal(device_of(2)->reason,
                        "work/8: it ran at a lower clock (power cap, thermal)");
    assert_int_equal(device_of(3)->throttle, KT_THROTTLE_HARDWARE);
    expect_note("1 device ran at a lower clock for some samples, which do not count: n2 hip:0 (10 "
                "%, power cap, thermal)");
    files[2].sample_count = files[2].left_out = 0;
    merge(5);
    assert_true(isnan(fleet_left_out(device_of(2))));
}

/* Two runs of each, without which nobody is shown to be slow. */
static void a_slow_device_may_be_throttled(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++)
        files[i].node = i / 2;
    files[6].median_ns = files[7].median_ns = 2e5;
    files[7].throttle = files[0].throttle = KT_THROTTLE_HARDWARE;
    merge(10);
    assert_int_equal(of.device_count, 5);
    assert_int_equal(of.counts.slow, 1);
    expect_note("1 slow device ran at a lower clock meanwhile: n3 hip:0 (hardware)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(settings_that_all_share_are_not_said, begin, end),
        cmocka_unit_test_setup_teardown(other_settings_are_other_groups, begin, end),
        cmocka_unit_test_setup_teardown(what_is_unknown_is_no_setting, begin, end),
        cmocka_unit_test_setup_teardown(throttling_has_a_share_and_reasons, begin, end),
        cmocka_unit_test_setup_teardown(a_slow_device_may_be_throttled, begin, end),
    };
    return cmocka_run_group_tests_name("fleet_settings", tests, NULL, NULL);
}
