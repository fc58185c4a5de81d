/* SPDX-License-Identifier: MIT */
/* What a measurement adds to a trace: every submission, and every step that has a place on the
 * host's clock. */
#include "tests/unit/rig.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define EVENTS_MAX 4096

typedef struct event {
    char name[16], category[16], phase[16], status[32];
    int64_t begin_ns, end_ns;
    double uncertainty_ns;
    long sample; /* -1: none */
    bool timestamped;
} event;

/* The events of a trace, read back from its bytes, kind by kind in the order of time. */
typedef struct events {
    event submits[EVENTS_MAX], waits[EVENTS_MAX], steps[EVENTS_MAX];
    uint32_t submit_count, wait_count, step_count;
    kt_trace_counts counts;
    char *text;
} events;

static events read_back;

static int collect(void *user, const char *data, size_t bytes)
{
    char **text = user;
    size_t used = strlen(*text);
    *text = realloc(*text, used + bytes + 1);
    assert_non_null(*text);
    memcpy(*text + used, data, bytes);
    (*text)[used + bytes] = '\0';
    return 0;
}

/* What stands behind a key in a line, up to a quotation mark; empty if it is not there. */
static void get_text(const char *line, const char *key, char *text, size_t bytes)
{
    char pattern[32];
    snprintf(pattern, sizeof pattern, "\"%s\": \"", key);
    const char *at = strstr(line, pattern);
    at = at ? at + strlen(pattern) : "\"";
    snprintf(text, bytes, "%.*s", (int)strcspn(at, "\""), at);
}

static double get_number(const char *line, const char *key, double otherwise)
{
    char pattern[32];
    snprintf(pattern, sizeof pattern, "\"%s\": ", key);
    const char *at = strstr(line, pattern);
    return at ? strtod(at + strlen(pattern), NULL) : otherwise;
}

static void read_line(events *e, const char *line)
{
    event found;
    get_text(line, "name", found.name, sizeof found.name);
    get_text(line, "cat", found.category, sizeof found.category);
    const char *category = found.category;
    get_text(line, "phase", found.phase, sizeof found.phase);
    get_text(line, "status", found.status, sizeof found.status);
    found.begin_ns = (int64_t)llround(1000 * get_number(line, "ts", NAN));
    found.end_ns = found.begin_ns + (int64_t)llround(1000 * get_number(line, "dur", NAN));
    found.uncertainty_ns = get_number(line, "uncertainty_ns", NAN);
    found.sample = (long)get_number(line, "sample", -1);
    found.timestamped = get_number(line, "timestamped", -1) == 1;
    event *list = e->steps;
    uint32_t *count = &e->step_count;
    if (strcmp(category, "submit") == 0 || strcmp(category, "wait") == 0) {
        assert_string_equal(found.name, category);
        list = category[0] == 's' ? e->submits : e->waits;
        count = category[0] == 's' ? &e->submit_count : &e->wait_count;
    }
    assert_true(*count < EVENTS_MAX);
    list[(*count)++] = found;
}

/* Also ends the trace. */
static events *read_events(kt_trace **trace)
{
    events *e = &read_back;
    free(e->text);
    memset(e, 0, sizeof *e);
    e->text = calloc(1, 1);
    const kt_sink sink = {.write = collect, .user = &e->text};
    EXPECT_OK(kt_trace_write(*trace, &sink));
    for (char *line = e->text, *next; (next = strchr(line, '\n')) != NULL; line = next + 1) {
        char *mark = strstr(line, "\"ph\": \"X\"");
        *next = '\0';
        if (mark && mark < next)
            read_line(e, line);
        *next = '\n';
    }
    kt_trace_get_counts(*trace, &e->counts);
    assert_int_equal(e->submit_count + e->wait_count + e->step_count, e->counts.events);
    kt_trace_destroy(trace);
    return e;
}

/* `count` samples, as rig_measure(), into a trace, which is read back. */
static kt_result *measure(rig *r, uint32_t count, kt_timing timing, kt_status expected)
{
    kt_trace *trace = NULL;
    EXPECT_OK(kt_trace_create(&trace, NULL));
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = count,
                                        .samples_max = count,
                                        .max_time_ns = 1,
                                        .timing = timing,
                                        .trace = trace};
    kt_result *result = rig_try(r, &options, expected);
    read_events(&trace);
    return result;
}

/* Each sample has one timestamped and one plain submission, all others are first use or warm-up. */
static void expect_samples(const events *e, const kt_result *result, uint32_t count)
{
    uint32_t seen[2][EVENTS_MAX] = {{0}}, others = 0;
    assert_int_equal(e->submit_count, rig_submissions(result));
    assert_int_equal(e->wait_count, e->submit_count);
    for (uint32_t i = 0; i < e->submit_count; i++) {
        const event *submit = &e->submits[i], *wait = &e->waits[i];
        assert_int_equal(submit->end_ns, wait->begin_ns);
        assert_int_equal(submit->sample, wait->sample);
        assert_string_equal(submit->status, "");
        assert_string_equal(submit->phase, i == 0                ? "first use"
                                           : submit->sample >= 0 ? "sample"
                                                                 : "warm-up");
        if (submit->sample >= 0)
            seen[submit->timestamped][submit->sample]++;
        else
            others++;
    }
    for (uint32_t i = 0; i < count; i++)
        assert_true(seen[0][i] == 1 && seen[1][i] == 1);
    assert_int_equal(others + 2 * count, e->submit_count);
    assert_int_equal(others, 1 + kt_result_series(result, 0)->warmup_n);
}

/* On the simulated device each step truly lies at the same place of its submission, and takes what
 * it takes by the scenario: all that is said of it, each time with its uncertainty, can be true at
 * once. */
static void each_step_has_its_place(void **state)
{
    rig *r = rig_make("sim:0:kernel_ns=50000,start=18446744073000000000", 3);
    kt_result *result = measure(r, 5, KT_TIMING_BOTH, KT_OK);
    const events *e = &read_back;

    expect_samples(e, result, 5);
    assert_int_equal(e->counts.omitted, 0);
    static const char *const names[] = {"first", "second", "third"};
    uint32_t step = 0;
    double launch_min_ns = 0, launch_max_ns = INFINITY;
    for (uint32_t i = 0; i < e->submit_count; i++) {
        for (uint32_t k = 0; e->submits[i].timestamped && k < 3; k++, step++) {
            const event *found = &e->steps[step];
            assert_true(step < e->step_count);
            assert_string_equal(found->name, names[k]);
            assert_string_equal(found->category, "kernel");
            assert_int_equal(found->sample, e->submits[i].sample);
            /* The clock's rate is known to 0.1 % before it has been followed for a while. */
            EXPECT_NEAR((double)(found->end_ns - found->begin_ns), 50000, 50);
            assert_true(found->begin_ns > e->submits[i].end_ns &&
                        found->end_ns < e->waits[i].end_ns);
            double launch_ns = (double)(found->begin_ns - e->submits[i].begin_ns);
            assert_true(found->uncertainty_ns >= 0 && found->uncertainty_ns < 5000);
            if (k == 0) {
                launch_min_ns = fmax(launch_min_ns, launch_ns - found->uncertainty_ns);
                launch_max_ns = fmin(launch_max_ns, launch_ns + found->uncertainty_ns);
            }
        }
    }
    assert_int_equal(step, e->step_count);
    assert_true(launch_min_ns <= launch_max_ns);
    EXPECT_TEXT_HAS(e->text, "{\"clock\": \"virtual clock of sim:0:kernel_ns=50000");
}

/* One reading of the clock more, and nothing else, between two timestamps of the host. */
static void tracing_costs_one_reading(void **state)
{
    const kt_context_options options = rig_fake_clock(1000, 1250);
    rig *r = rig_make_with("cpu:0", &options, 0);
    rig_make_job(r, 1);
    kt_result *plain = rig_measure(r, 6, KT_TIMING_BOTH, 1),
              *result = measure(r, 6, KT_TIMING_BOTH, KT_OK);
    const events *e = &read_back;
    expect_samples(e, result, 6);
    static const char *const walls[] = {"wall", "wall_timestamped"};
    for (int i = 0; i < 2; i++)
        EXPECT_NUMBER(rig_series(result, walls[i])->summary.max,
                      rig_series(plain, walls[i])->summary.min + 1000);
    for (uint32_t i = 0; i < e->submit_count; i++) {
        assert_int_equal(e->waits[i].end_ns - e->submits[i].begin_ns,
                         rig_series(result, walls[e->submits[i].timestamped])->summary.median);
        EXPECT_NUMBER(e->submits[i].uncertainty_ns, 1000); /* two readings are that far apart */
    }
    EXPECT_TEXT_HAS(e->text, "{\"clock\": \"clock of the program\"");
}

/* Nothing is drawn that nothing is known of, and each is counted under its reason. */
static void what_has_no_timestamps_is_counted(void **state)
{
    rig *r = rig_make("sim:0:zero=0.3,lost=0.2,seed=3", 2);
    kt_result *result = measure(r, 40, KT_TIMING_BOTH, KT_OK);
    const events *e = &read_back;

    expect_samples(e, result, 40);
    uint32_t timestamped = 0, samples = 0, good = 0;
    for (uint32_t i = 0; i < e->submit_count; i++)
        timestamped += e->submits[i].timestamped;
    for (uint32_t i = 0; i < e->step_count; i++)
        samples += e->steps[i].sample >= 0;
    for (uint32_t i = 0; i < 2; i++)
        good += (uint32_t)kt_result_series(result, i)->summary.n;
    assert_true(good > 0 && good < 80);
    assert_int_equal(samples, good);
    assert_int_equal(e->step_count + e->counts.omitted, 2 * timestamped);
    EXPECT_TEXT_HAS(e->text, "\"zero\": ");
    EXPECT_TEXT_HAS(e->text, "\"lost\": ");
}

/* Measures two samples, after which `part` is in the file and no step is. */
static void expect_host_alone(const char *device, kt_timing timing, const char *part)
{
    rig *r = rig_make(device, 1);
    measure(r, 2, timing, KT_OK);
    const events *e = &read_back;

    assert_int_equal(e->step_count, 0);
    assert_true(e->submit_count > 2 && e->wait_count == e->submit_count);
    EXPECT_TEXT_HAS(e->text, part);
}

static void without_device_time_the_host_is_traced(void **state)
{
    expect_host_alone("sim:0:zero=1", KT_TIMING_BOTH, "\"omitted\": {\"not_trusted\": ");
    expect_host_alone("sim:0", KT_TIMING_WALL, "\"omitted\": {}");
}

/* The newest of the submissions is the one that failed. */
static void expect_failure(const char *device, kt_status expected, const char *status_name)
{
    rig *r = rig_make(device, 2);
    measure(r, 100, KT_TIMING_DEVICE, expected);
    const events *e = &read_back;
    char omitted[64];

    assert_int_equal(e->submit_count, 30);
    assert_int_equal(e->wait_count, 30);
    assert_string_equal(e->waits[29].status, status_name);
    assert_string_equal(e->submits[29].status, status_name);
    for (int i = 0; i < 29; i++)
        assert_string_equal(e->waits[i].status, "");
    assert_int_equal(e->step_count, 2 * 29);
    snprintf(omitted, sizeof omitted, "\"omitted\": {\"%s\": 2}", status_name);
    EXPECT_TEXT_HAS(e->text, omitted);
}

static void failures_are_in_it(void **state)
{
    expect_failure("sim:0:wrong=30", KT_WRONG_RESULT, "wrong result");
    expect_failure("sim:0:hang=30", KT_TIMEOUT, "timed out");
}

/* Two jobs of one device and one of another, in one trace: nothing of the device overlaps, and each
 * job has its samples. */
static void several_jobs_in_one_trace(void **state)
{
    rig a, b, c;
    rig_set_up(&a, "sim:0", 1);
    rig_set_up(&c, "sim:1", 1);
    b = a;
    b.job = NULL, b.input = b.output = NULL, b.program = NULL;
    b.context = NULL, b.device = a.device, b.reset_count = b.verify_count = 0;
    rig_make_job(&b, 2);
    kt_trace *trace = NULL;
    EXPECT_OK(kt_trace_create(&trace, NULL));
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = 300,
                                        .samples_max = 300,
                                        .max_time_ns = 1,
                                        .trace = trace};
    kt_measure_item items[] = {{.job = a.job, .options = &options},
                               {.job = b.job, .options = &options},
                               {.job = c.job, .options = &options}};
    EXPECT_OK(kt_measure_all(items, 3));
    uint32_t submissions = 0;
    for (int i = 0; i < 3; i++)
        submissions += rig_submissions(items[i].result);
    events *e = read_events(&trace);
    assert_int_equal(e->submit_count, submissions);
    assert_int_equal(e->counts.omitted, 0);
    assert_null(strstr(e->text, "(2)"));
    EXPECT_TEXT_HAS(e->text, "\"args\": {\"name\": \"sim:0 [virtual clock of sim:0]\"}");
    EXPECT_TEXT_HAS(e->text, "\"args\": {\"name\": \"sim:1 [virtual clock of sim:1]\"}");
    for (int i = 0; i < 3; i++)
        kt_result_destroy(&items[i].result);
    b.device = NULL;
    rig_close(&b);
    rig_close(&a);
    rig_close(&c);
}

/* Of whatever kind: the API's own, a mapping, and one by a kernel. */
static void copies_are_called_so(void **state)
{
    kt_memory *to = NULL, *view = NULL;
    rig *r = rig_make("sim:0", 1);
    kt_job_destroy(&r->job);
    EXPECT_OK(kt_memory_create(r->device, KT_MEMORY_DEVICE, 256, &to));
    EXPECT_OK(kt_memory_create(r->device, KT_MEMORY_HOST, 256, &view));
    const kt_arg args[] = {{.memory = r->input}, {.memory = r->output}};
    kt_step run = {
        .name = "run", .program = r->program, .args = args, .arg_count = 2, .group_size = {16}};
    run.groups[0] = RIG_ITEMS / 16;
    kt_step steps[] = {
        run,
        {.kind = KT_STEP_COPY, .name = "copied", .src = view, .dst = to, .copy_bytes = 256},
        {.kind = KT_STEP_MAP, .name = "mapped", .src = to, .dst = view, .copy_bytes = 256},
        run,
    };
    steps[3].name = "moved";
    steps[3].src = r->input;
    steps[3].dst = r->output;
    steps[3].copy_bytes = 4 * RIG_ITEMS;
    const kt_job_desc desc = {.size = sizeof desc, .name = "all", .steps = steps, .step_count = 4};
    EXPECT_OK(kt_job_create(r->device, &desc, &r->job));
    measure(r, 2, KT_TIMING_DEVICE, KT_OK);
    const events *e = &read_back;

    assert_true(e->step_count > 0);
    for (uint32_t i = 0; i < e->step_count; i++) {
        assert_string_equal(e->steps[i].name, steps[i % 4].name);
        assert_string_equal(e->steps[i].category, i % 4 == 0 ? "kernel" : "copy");
    }
    kt_memory_destroy(&to);
    kt_memory_destroy(&view);
}

static int end(void **state)
{
    free(read_back.text);
    return rig_end(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_step_has_its_place),
        cmocka_unit_test(tracing_costs_one_reading),
        cmocka_unit_test(what_has_no_timestamps_is_counted),
        cmocka_unit_test(without_device_time_the_host_is_traced),
        cmocka_unit_test(failures_are_in_it),
        cmocka_unit_test(several_jobs_in_one_trace),
        cmocka_unit_test(copies_are_called_so),
    };
    return cmocka_run_group_tests_name("measure_trace", tests, NULL, end);
}
