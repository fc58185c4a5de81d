/* SPDX-License-Identifier: MIT */
#include "tests/unit/rig.h"

#include <stdatomic.h>
#include <stdio.h>

static struct {
    atomic_llong now_ns;
    int64_t read_ns, group_ns, verify_ns;
} fake_clock;

static int64_t read_fake_clock(void *user)
{
    return atomic_fetch_add(&fake_clock.now_ns, fake_clock.read_ns) + fake_clock.read_ns;
}

kt_context_options rig_fake_clock(int64_t read_ns, int64_t group_ns)
{
    atomic_store(&fake_clock.now_ns, 1);
    fake_clock.read_ns = read_ns;
    fake_clock.group_ns = group_ns;
    fake_clock.verify_ns = 0;
    return (kt_context_options){.size = sizeof(kt_context_options),
                                .host_clock = {.now = read_fake_clock}};
}

void rig_fake_verify(int64_t verify_ns)
{
    fake_clock.verify_ns = verify_ns;
}

static int32_t true_output(int32_t index)
{
    return 3 * (index - 7) + 1;
}

static void kernel(const kt_c_group *group, void *const *args)
{
    const int32_t *input = args[0];
    int32_t *output = args[1];
    atomic_fetch_add(&fake_clock.now_ns, fake_clock.group_ns);
    for (uint32_t i = 0; i < group->group_size[0]; i++) {
        uint32_t at = group->group[0] * group->group_size[0] + i;
        output[at] = 3 * input[at] + 1;
    }
}

static kt_status count_reset(void *user, char *reason, size_t reason_bytes)
{
    rig *r = user;
    if (r->reset_count++ == r->verify_count)
        return KT_OK;
    snprintf(reason, reason_bytes, "not in turn with verifying");
    return KT_INVALID;
}

static kt_status verify(void *user, char *reason, size_t reason_bytes)
{
    rig *r = user;
    r->verify_count++;
    atomic_fetch_add(&fake_clock.now_ns, fake_clock.verify_ns);
    int32_t output[RIG_ITEMS];
    kt_status status = kt_memory_read(r->output, 0, output, sizeof output);
    if (status != KT_OK) {
        snprintf(reason, reason_bytes, "%s", kt_error_text());
        return status;
    }
    for (int32_t i = 0; i < RIG_ITEMS; i++) {
        if (output[i] == true_output(i))
            continue;
        snprintf(reason, reason_bytes, "output[%d] is %d", (int)i, (int)output[i]);
        return KT_WRONG_RESULT;
    }
    return KT_OK;
}

void rig_open_with(rig *r, const char *device, const kt_context_options *options)
{
    *r = (rig){0};
    snprintf(r->id, sizeof r->id, "%s", device);
    EXPECT_OK(kt_context_create(&r->context, options));
    EXPECT_OK(kt_device_open(r->context, device, &r->device));
}

void rig_open(rig *r, const char *device)
{
    rig_open_with(r, device, NULL);
}

void rig_make_job(rig *r, uint32_t step_count)
{
    static const char *const names[] = {"first", "second", "third"};
    int32_t input[RIG_ITEMS];
    rig_clear(r);
    for (int32_t i = 0; i < RIG_ITEMS; i++)
        input[i] = i - 7;
    EXPECT_OK(kt_memory_create(r->device, KT_MEMORY_DEFAULT, sizeof input, &r->input));
    EXPECT_OK(kt_memory_create(r->device, KT_MEMORY_DEFAULT, sizeof input, &r->output));
    EXPECT_OK(kt_memory_write(r->input, 0, input, sizeof input));
    const kt_program_desc program = {.size = sizeof program,
                                     .language = KT_LANGUAGE_C_FUNCTION,
                                     .entry = "unit",
                                     .function = kernel};
    EXPECT_OK(kt_program_create(r->device, &program, &r->program));
    const kt_arg args[] = {{.memory = r->input}, {.memory = r->output}};
    kt_step steps[3];
    for (uint32_t i = 0; i < 3; i++)
        steps[i] = (kt_step){.name = names[i],
                             .program = r->program,
                             .args = args,
                             .arg_count = 2,
                             .groups = {RIG_ITEMS / 16},
                             .group_size = {16}};
    const kt_param params[] = {{"size", RIG_ITEMS}};
    const kt_job_desc desc = {.size = sizeof desc,
                              .name = "unit/64",
                              .workload = "unit",
                              .params = params,
                              .param_count = 1,
                              .steps = steps,
                              .step_count = step_count,
                              .trials_max = r->trials_max,
                              .reset = count_reset,
                              .verify = verify,
                              .user = r};
    EXPECT_OK(kt_job_create(r->device, &desc, &r->job));
}

void rig_set_up(rig *r, const char *device, uint32_t step_count)
{
    rig_open(r, device);
    rig_make_job(r, step_count);
}

void rig_clear(rig *r)
{
    kt_job_destroy(&r->job);
    kt_program_destroy(&r->program);
    kt_memory_destroy(&r->output);
    kt_memory_destroy(&r->input);
}

void rig_close(rig *r)
{
    while (r->result_count)
        kt_result_destroy(&r->results[--r->result_count]);
    free(r->results);
    r->results = NULL;
    rig_clear(r);
    kt_clock_close(&r->clock);
    kt_device_close(&r->device);
    kt_context_destroy(&r->context);
    assert_null(r->job);
    assert_null(r->device);
    assert_null(r->context);
}

static rig the_rig;

rig *rig_make_with(const char *device, const kt_context_options *options, uint32_t step_count)
{
    rig_close(&the_rig);
    rig_open_with(&the_rig, device, options);
    if (step_count)
        rig_make_job(&the_rig, step_count);
    return &the_rig;
}

rig *rig_make(const char *device, uint32_t step_count)
{
    return rig_make_with(device, NULL, step_count);
}

rig *rig_sim(uint32_t step_count, const char *scenario, ...)
{
    char id[sizeof the_rig.id] = "sim:0:";
    va_list args;
    va_start(args, scenario);
    vsnprintf(id + strlen(id), sizeof id - strlen(id), scenario, args);
    va_end(args);
    return rig_make(id, step_count);
}

int rig_end(void **state)
{
    rig_close(&the_rig);
    return 0;
}

kt_result *rig_try(rig *r, const kt_measure_options *options, kt_status expected)
{
    kt_result *result = NULL;
    EXPECT_STATUS(kt_measure(r->job, options, &result), expected);
    if (!result)
        return NULL;
    r->results = realloc(r->results, (r->result_count + 1) * sizeof *r->results);
    assert_non_null(r->results);
    return r->results[r->result_count++] = result;
}

kt_result *rig_measure(rig *r, uint32_t count, kt_timing timing, uint32_t trials)
{
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = count,
                                        .samples_max = count,
                                        .max_time_ns = 1,
                                        .timing = timing,
                                        .trials = trials,
                                        .keep_raw = 1};
    kt_result *result = rig_try(r, &options, KT_OK);
    assert_non_null(result);
    return result;
}

kt_clock *rig_clock(rig *r, uint32_t index, const kt_clock_options *options)
{
    kt_clock_close(&r->clock);
    EXPECT_OK(kt_clock_open(r->device, index, options, &r->clock));
    return r->clock;
}

void rig_report(rig *r, kt_report *report)
{
    kt_result **newest = &r->results[--r->result_count];
    EXPECT_OK(kt_report_add_result(report, newest));
    assert_null(*newest);
}

const kt_series *rig_series(const kt_result *result, const char *step)
{
    const kt_series *series = kt_result_find(result, step);
    if (!series)
        fail_msg("there is no series %s", step);
    return series;
}

void rig_expect_all(const kt_series *series, size_t count, double ns)
{
    assert_int_equal(series->summary.n, count);
    assert_int_equal(series->status, KT_SERIES_OK);
    assert_null(series->error);
    for (size_t i = 0; i < count; i++)
        EXPECT_NUMBER(series->samples_ns[i], ns);
    EXPECT_NUMBER(series->summary.min, ns);
    EXPECT_NUMBER(series->summary.median, ns);
    EXPECT_NUMBER(series->summary.mean, ns);
    EXPECT_NUMBER(series->summary.max, ns);
    EXPECT_NUMBER(series->median_total_ns, ns * series->trials);
}

uint32_t rig_discarded(const kt_series *series)
{
    uint32_t count = 0;
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++)
        count += series->discarded[i];
    return count;
}

uint32_t rig_submissions(const kt_result *result)
{
    const kt_series *any = kt_result_series(result, 0);
    uint32_t count = any->warmup_n + !isnan(any->first_use_ns);
    const char *const names[] = {"wall", "wall_timestamped"};
    for (int i = 0; i < 2; i++) {
        const kt_series *wall = kt_result_find(result, names[i]);
        count += wall ? (uint32_t)wall->summary.n : 0;
    }
    return count;
}
