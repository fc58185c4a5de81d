/* SPDX-License-Identifier: MIT */
/*
 * The backends of CUDA and HIP over their stub drivers, in one of their moods; cuda.sh says which
 * script goes with which.
 *
 *   unit_cuda cuda|hip LIBRARY MOOD
 *
 * The host's clock is the stub's own, so that minutes on the device are minutes for kerntime, and
 * take no time.
 */
#include "tests/unit/moods.h"

#include <dlfcn.h>
#include <kerntime/kerntime.h>

enum { BYTES = 4096 };

/* What the scripts of cuda.sh say of the device: recording an event takes this long, and its clock
 * moves so. */
#define RECORD_NS 250.0
#define GAP_NS    20000.0
#define STEP_NS   500.0 /* the stub's own */

static int64_t (*stub_now)(void);
static void (*stub_advance)(int64_t ns);
static void (*stub_take)(int64_t ns);

static bool is_hip;
static char device_id[8];
static kt_context *context;
static kt_device *device;

/* Each look takes a moment, so whoever waits for a time has it come. */
static int64_t look(void *user)
{
    (void)user;
    stub_advance(20);
    return stub_now();
}

static kt_status open_device(void)
{
    const kt_context_options options = {.size = sizeof options, .host_clock = {.now = look}};
    EXPECT_OK(kt_context_create(&context, &options));
    return kt_device_open(context, device_id, &device);
}

static void close_device(void)
{
    kt_device_close(&device);
    kt_context_destroy(&context);
}

/* A job of `count` copies between two memories of those kinds. */
typedef struct copies {
    kt_memory *src, *dst;
    kt_job *job;
} copies;

static copies make_copies(kt_memory_kind src, kt_memory_kind dst, uint32_t count)
{
    static const char *const names[] = {"first", "second", "third"};
    copies c = {NULL, NULL, NULL};
    kt_step steps[3];
    EXPECT_OK(kt_memory_create(device, src, BYTES, &c.src));
    EXPECT_OK(kt_memory_create(device, dst, BYTES, &c.dst));
    for (uint32_t i = 0; i < count; i++)
        steps[i] = (kt_step){.kind = KT_STEP_COPY,
                             .name = names[i],
                             .src = c.src,
                             .dst = c.dst,
                             .copy_bytes = BYTES};
    const kt_job_desc desc = {
        .size = sizeof desc, .name = "copies", .steps = steps, .step_count = count};
    EXPECT_OK(kt_job_create(device, &desc, &c.job));
    return c;
}

static void destroy_copies(copies *c)
{
    kt_job_destroy(&c->job);
    kt_memory_destroy(&c->dst);
    kt_memory_destroy(&c->src);
}

static kt_status try_measure_trials(kt_job *job, uint32_t samples, uint32_t trials, kt_result **out)
{
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = samples,
                                        .samples_max = samples,
                                        .max_time_ns = 1,
                                        .timeout_ns = time_limit_ns(),
                                        .trials = trials,
                                        .timing = KT_TIMING_DEVICE,
                                        .keep_raw = 1};
    return kt_measure(job, &options, out);
}

static kt_status try_measure(kt_job *job, uint32_t samples, kt_result **out)
{
    return try_measure_trials(job, samples, 1, out);
}

static const kt_series *series_of(const kt_result *result, const char *step)
{
    const kt_series *series = kt_result_find(result, step);
    if (!series)
        fail_msg("there is no series %s", step);
    return series;
}

/* ---- durations ---- */

#define DURATIONS 5000

/* From 1 us to 60 s, even on a logarithmic scale, with digits of no pattern. */
static int64_t duration(uint32_t index)
{
    static uint64_t state = 20240711;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    double jitter = (double)(state >> 40) / (double)(1 << 24);
    return (int64_t)(1e3 * pow(6e7, (index + jitter) / (DURATIONS + 1)));
}

/* What a float of ms leaves open of that many ns. */
static double float_step_ns(double ns)
{
    float ms = (float)(ns * 1e-6);
    return ((double)nextafterf(ms, INFINITY) - (double)ms) * 1e6;
}

/* Of so many distances in a chain; what is told of the grid is no more than the truth. */
static void expect_within_resolution(const kt_series *series, double expected_ns, double parts)
{
    assert_int_equal(series->status, KT_SERIES_OK);
    assert_true(series->summary.n > 0);
    double most_ns = STEP_NS + parts * float_step_ns(expected_ns + parts * STEP_NS);
    if (!(series->clock_resolution_ns > 0 && series->clock_resolution_ns <= most_ns))
        fail_msg("%s: a grid of %g ns, not of %g at most", series->step,
                 series->clock_resolution_ns, most_ns);
    for (size_t i = 0; i < series->summary.n; i++) {
        double ns = series->samples_ns[i];
        if (!(ns > 0) || fabs(ns - expected_ns) > parts * series->clock_resolution_ns)
            fail_msg("%s: %.0f ns for %.0f ns, on a grid of %g ns", series->step, ns, expected_ns,
                     series->clock_resolution_ns);
    }
}

static void exact(void **state)
{
    copies c = make_copies(KT_MEMORY_DEVICE, KT_MEMORY_DEVICE, 1);
    for (uint32_t i = 0; i < DURATIONS; i++) {
        kt_result *result = NULL;
        int64_t ns = duration(i);
        stub_take(ns);
        EXPECT_OK(try_measure(c.job, 1, &result));
        expect_within_resolution(series_of(result, "first"), (double)ns + RECORD_NS, 1);
        kt_result_destroy(&result);
    }
    destroy_copies(&c);
}

/* What a device needs before each launch behind another command is in the time, blocked or not. */
static void busy_launches(void **state)
{
    enum { TRIALS = 4, COPY_NS = 50000, BUSY_NS = 1500 };
    kt_result *result = NULL;
    copies c = make_copies(KT_MEMORY_DEVICE, KT_MEMORY_DEVICE, 1);
    stub_take(COPY_NS);
    EXPECT_OK(try_measure_trials(c.job, 5, TRIALS, &result));
    const kt_series *series = series_of(result, "first");
    double expected_ns = COPY_NS + BUSY_NS + RECORD_NS / TRIALS;
    assert_true(series->summary.n > 0);
    for (size_t i = 0; i < series->summary.n; i++)
        assert_true(fabs(series->samples_ns[i] - expected_ns) <= STEP_NS);
    kt_result_destroy(&result);
    destroy_copies(&c);
}

/* Between the steps lies the recording of an end; the span is their sum. */
static void chained(void **state)
{
    copies c = make_copies(KT_MEMORY_DEVICE, KT_MEMORY_DEVICE, 3);
    for (uint32_t i = 0; i < DURATIONS; i += 10) {
        kt_result *result = NULL;
        int64_t ns = duration(i);
        stub_take(ns);
        EXPECT_OK(try_measure(c.job, 2, &result));
        double step_ns = (double)ns + RECORD_NS;
        expect_within_resolution(series_of(result, "second"), step_ns, 1);
        expect_within_resolution(series_of(result, "total"), 3 * step_ns, 3);
        /* The ends that meet in between are at one moment each: what is cut off there is added on
         * the other side. */
        expect_within_resolution(series_of(result, "span"), 3 * step_ns + 2 * RECORD_NS, 5);
        kt_result_destroy(&result);
    }
    destroy_copies(&c);
}

/* ---- states ---- */

/* The timestamps that the script spoils are in that state, named and counted, and the others are
 * right. */
static void spoilt(void **state)
{
    const kt_timestamp_state expected = *(const kt_timestamp_state *)*state;
    kt_result *result = NULL;
    copies c = make_copies(KT_MEMORY_DEVICE, KT_MEMORY_DEVICE, 1);
    EXPECT_OK(try_measure(c.job, 40, &result));
    const kt_series *series = series_of(result, "first");
    assert_in_range(series->discarded[expected], 5, 15);
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++)
        if (i != (int)expected && i != KT_TIMESTAMP_OK)
            assert_int_equal(series->discarded[i], 0);
    assert_int_equal(series->summary.n, 40 - series->discarded[expected]);
    for (size_t i = 0; i < series->summary.n; i++)
        assert_true(fabs(series->samples_ns[i] - 50250) <= series->clock_resolution_ns);
    uint32_t named = 0;
    for (size_t i = 0; i < series->raw_count; i++)
        named += series->raw[i].state == expected;
    assert_int_equal(named, series->discarded[expected]);
    kt_result_destroy(&result);
    destroy_copies(&c);
}

/* ---- launch gaps ---- */

static void expect_method(kt_memory_kind src, kt_method method, bool gap)
{
    kt_result *result = NULL;
    copies c = make_copies(src, KT_MEMORY_DEVICE, 1);
    EXPECT_OK(try_measure(c.job, 10, &result));
    const kt_series *series = series_of(result, "first");
    assert_int_equal(series->method, method);
    for (size_t i = 0; i < series->summary.n; i++)
        assert_int_equal(series->samples_ns[i] >= GAP_NS, gap);
    assert_true(series->summary.n >= 4); /* of the first ones, some may be trials of blocking */
    kt_result_destroy(&result);
    destroy_copies(&c);
}

/* A blocked stream has no gap in its times; a copy from memory that is not pinned cannot be. */
static void blocked(void **state)
{
    expect_method(KT_MEMORY_DEVICE, KT_METHOD_EVENT_PAIR_BLOCKED, false);
    expect_method(KT_MEMORY_HOST, KT_METHOD_EVENT_PAIR_BLOCKED, false);
    expect_method(KT_MEMORY_HEAP, KT_METHOD_EVENT_PAIR, true);
}

/* There was no memory for the first job's. */
static void blocked_later(void **state)
{
    copies c = make_copies(KT_MEMORY_DEVICE, KT_MEMORY_DEVICE, 1);
    destroy_copies(&c);
    expect_method(KT_MEMORY_DEVICE, KT_METHOD_EVENT_PAIR_BLOCKED, false);
}

static void unblocked(void **state)
{
    expect_method(KT_MEMORY_DEVICE, KT_METHOD_EVENT_PAIR, true);
}

/* A stream with managed memory is blocked where host and device may use it at one time. */
static void shared(void **state)
{
    const bool gap = *(const bool *)*state;
    expect_method(KT_MEMORY_SHARED, gap ? KT_METHOD_EVENT_PAIR : KT_METHOD_EVENT_PAIR_BLOCKED, gap);
    expect_method(KT_MEMORY_DEVICE, KT_METHOD_EVENT_PAIR_BLOCKED, false);
}

/* Calls with managed memory wait for the stream, and the device's trial is over. */
static void waiting_shared(void **state)
{
    expect_method(KT_MEMORY_DEVICE, KT_METHOD_EVENT_PAIR_BLOCKED, false);
    for (int job = 0; job < 3; job++) {
        kt_result *result = NULL;
        copies c = make_copies(KT_MEMORY_SHARED, KT_MEMORY_DEVICE, 1);
        EXPECT_OK(try_measure(c.job, 10, &result));
        const kt_series *series = series_of(result, "first");
        assert_int_equal(series->method, KT_METHOD_EVENT_PAIR);
        assert_int_equal(series->summary.n, 10);
        kt_result_destroy(&result);
        destroy_copies(&c);
    }
    expect_method(KT_MEMORY_DEVICE, KT_METHOD_EVENT_PAIR_BLOCKED, false);
}

/* As many launches as automatic trials make are blocked; more than fit into a queue are not. */
static void many(void **state)
{
    copies c = make_copies(KT_MEMORY_DEVICE, KT_MEMORY_DEVICE, 3);
    for (int blocked = 0; blocked < 2; blocked++) {
        kt_result *result = NULL;
        EXPECT_OK(try_measure_trials(c.job, 10, blocked ? 128 : 1024, &result));
        assert_int_equal(series_of(result, "first")->method,
                         blocked ? KT_METHOD_EVENT_PAIR_BLOCKED : KT_METHOD_EVENT_PAIR);
        kt_result_destroy(&result);
    }
    destroy_copies(&c);
}

/* The host was late; so many timestamps of 40 are lost by it. */
typedef struct losses {
    uint32_t least, most;
} losses;

static void given_up(void **state)
{
    const losses *lost = *state;
    kt_result *result = NULL;
    copies c = make_copies(KT_MEMORY_DEVICE, KT_MEMORY_DEVICE, 1);
    EXPECT_OK(try_measure(c.job, 40, &result));
    const kt_series *series = series_of(result, "first");
    assert_int_equal(series->method, KT_METHOD_EVENT_PAIR_BLOCKED);
    assert_in_range(series->discarded[KT_TIMESTAMP_LOST], lost->least, lost->most);
    assert_int_equal(series->summary.n, 40 - series->discarded[KT_TIMESTAMP_LOST]);
    kt_result_destroy(&result);
    destroy_copies(&c);
}

/* ---- the clock that a kernel sees ---- */

/* The first reading makes the kernel, the second one uses it again. */
static void kernel_clock(void **state)
{
    kt_device_state now;
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(kt_device_get_state(device, &now));
        assert_int_equal(now.reading[KT_STATE_CORE_CLOCK], KT_READING_OK);
        EXPECT_NUMBER(now.value[KT_STATE_CORE_CLOCK], 1234.0);
        EXPECT_TEXT_HAS(now.source, "clock of a kernel");
    }
}

/* NVML has the clock, so cuda.sh sees no launch. */
static void nvml_clock(void **state)
{
    kt_device_state now;
    EXPECT_OK(kt_device_get_state(device, &now));
    assert_int_equal(now.reading[KT_STATE_CORE_CLOCK], KT_READING_OK);
    EXPECT_NUMBER(now.value[KT_STATE_CORE_CLOCK], 1410.0);
    assert_string_equal(now.source, "NVML");
}

/* With the reading that it gives. A failure is not tried again; cuda.sh counts. */
static void no_clock(void **state)
{
    const kt_reading *expected = *state;
    kt_device_state now;
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(kt_device_get_state(device, &now));
        assert_int_equal(now.reading[KT_STATE_CORE_CLOCK], *expected);
        assert_true(isnan(now.value[KT_STATE_CORE_CLOCK]));
        assert_null(strstr(now.source, "clock of a kernel"));
    }
}

/* ---- failures ---- */

/* With a part of the reason: CUDA's, HIP's. */
static void unavailable(void **state)
{
    const char *const *parts = *state;
    EXPECT_STATUS(open_device(), KT_UNAVAILABLE);
    EXPECT_TEXT_HAS(kt_error_text(), parts[is_hip]);
    close_device();
}

static void too_much_shared(void **state)
{
    kt_memory *first = NULL, *second = NULL;
    EXPECT_OK(kt_memory_create(device, KT_MEMORY_DEVICE, 60000, &first));
    EXPECT_STATUS(kt_memory_create(device, KT_MEMORY_SHARED, 60000, &second), KT_NO_MEMORY);
    EXPECT_TEXT_HAS(kt_error_text(), "60000 bytes are more than the 40000 that are free");
    assert_null(second);
    EXPECT_OK(kt_memory_create(device, KT_MEMORY_SHARED, 40000, &second));
    kt_memory_destroy(&second);
    kt_memory_destroy(&first);
}

static void no_shared(void **state)
{
    assert_false(kt_device_get_info(device)->memory_kinds & 1u << KT_MEMORY_SHARED);
}

/* The call that has no end is the driver's, and its caller's time is up all the same. */
static void transfer_hangs(void **state)
{
    kt_memory *memory = NULL;
    static char data[BYTES];
    const kt_context_options options = {.size = sizeof options, .timeout_ns = time_limit_ns()};
    EXPECT_OK(kt_context_create(&context, &options));
    EXPECT_OK(kt_device_open(context, device_id, &device));
    EXPECT_OK(kt_memory_create(device, KT_MEMORY_DEVICE, BYTES, &memory));
    EXPECT_STATUS(kt_memory_write(memory, 0, data, BYTES), KT_TIMEOUT);
    EXPECT_TEXT_HAS(kt_error_text(), "within 1 s");
    kt_memory_destroy(&memory);
    close_device();
}

static kt_program *make_program(void)
{
    const kt_program_desc desc = {.size = sizeof desc,
                                  .language = KT_LANGUAGE_CUDA_C,
                                  .entry = "crashes",
                                  .source =
                                      "extern \"C\" __global__ void crashes() { *(int *)0 = 1; }"};
    kt_program *program = NULL;
    EXPECT_OK(kt_program_create(device, &desc, &program));
    return program;
}

static void expect_launch(kt_program *program, const uint32_t groups[3], const uint32_t size[3],
                          const char *reason)
{
    kt_job *job = NULL;
    kt_step step = {.program = program};
    memcpy(step.groups, groups, sizeof step.groups);
    memcpy(step.group_size, size, sizeof step.group_size);
    const kt_job_desc desc = {
        .size = sizeof desc, .name = "launch", .steps = &step, .step_count = 1};
    if (reason) {
        EXPECT_STATUS(kt_job_create(device, &desc, &job), KT_LIMIT);
        EXPECT_TEXT_HAS(kt_error_text(), reason);
        return;
    }
    kt_result *result = NULL;
    EXPECT_OK(kt_job_create(device, &desc, &job));
    EXPECT_OK(try_measure(job, 1, &result));
    kt_result_destroy(&result);
    kt_job_destroy(&job);
}

/* NVRTC is newer than the driver, whose machine code or PTX it is nevertheless. */
static void compiled(void **state)
{
    static const uint32_t one[3] = {1, 1, 1};
    kt_program *program = make_program();
    expect_launch(program, one, one, NULL);
    kt_program_destroy(&program);
}

/* NVIDIA's own NVRTC, whose code the stub reads: each entry is found, whatever it is in C++, and what
 * is no kernel is refused with the compiler's reason. */
static void named(void **state)
{
    static const char text[] =
        "extern \"C\" __global__ void in_c(float *x) { x[0] = 1; }\n"
        "__global__ void plain(float *x) { x[0] = 2; }\n"
        "namespace space {\n"
        "__global__ void within(float *x) { x[0] = 3; }\n"
        "template<typename T, int N> __global__ void axpy(T *x) { x[0] = N; }\n"
        "}\n"
        "#define MACRO made\n"
        "__global__ void MACRO(float *x) { x[0] = 4; }\n"
        "__device__ int helper() { return 5; }\n";
    static const char *const there[] = {"in_c",
                                        "plain",
                                        "_Z5plainPf",
                                        "space::within",
                                        "::space::within",
                                        "MACRO",
                                        "space::axpy<float, 4>",
                                        "space::axpy<double,2>"};
    static const struct {
        const char *entry, *reason;
    } missing[] = {{"nothing", "undefined"},
                   {"helper", "non-__global__"},
                   {"space::axpy", "cannot determine which instance"},
                   {"_Z5otherPf", "the source has no kernel _Z5otherPf"}};
    kt_program_desc desc = {.size = sizeof desc, .language = KT_LANGUAGE_CUDA_C, .source = text};
    kt_program *program = NULL;
    for (size_t i = 0; i < sizeof there / sizeof there[0]; i++) {
        desc.entry = there[i];
        EXPECT_OK(kt_program_create(device, &desc, &program));
        kt_program_destroy(&program);
    }
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
        desc.entry = missing[i].entry;
        EXPECT_STATUS(kt_program_create(device, &desc, &program), KT_INVALID);
        EXPECT_TEXT_HAS(kt_error_text(), missing[i].reason);
    }
    desc.source = "__global__ void broken(float *x) { x[0] = no_such_name; }";
    desc.entry = "broken";
    EXPECT_STATUS(kt_program_create(device, &desc, &program), KT_BUILD_FAILED);
    EXPECT_TEXT_HAS(kt_error_text(), "no_such_name");
}

/* It is not known how to write what so old a driver loads. */
static void not_loaded(void **state)
{
    const kt_program_desc desc = {.size = sizeof desc,
                                  .language = KT_LANGUAGE_CUDA_C,
                                  .entry = "nothing",
                                  .source = "extern \"C\" __global__ void nothing() {}"};
    kt_program *program = NULL;
    EXPECT_STATUS(kt_program_create(device, &desc, &program), KT_BUILD_FAILED);
    EXPECT_TEXT_HAS(kt_error_text(), "NVRTC 13.0 is newer than the driver (CUDA 10.2)");
    EXPECT_TEXT_HAS(kt_error_text(), "(222)");
    assert_null(program);
}

/* Each is told before the driver refuses, and what is just within runs. */
static void limits(void **state)
{
    static const uint32_t one[3] = {1, 1, 1};
    const uint32_t y_z_max = is_hip ? 65536 : 65535;
    kt_program *program = make_program();
    expect_launch(program, one, (const uint32_t[]){1, 2, 64}, NULL);
    expect_launch(program, one, (const uint32_t[]){1, 2, 65},
                  "groups of at most 64 work-items in dimension 2, not 65");
    for (int i = 1; i < 3; i++) {
        char reason[64];
        uint32_t groups[3] = {1, 1, 1};
        groups[i] = y_z_max;
        expect_launch(program, groups, one, NULL);
        groups[i]++;
        snprintf(reason, sizeof reason, "at most %u groups in dimension %d, not %u", y_z_max, i,
                 y_z_max + 1);
        expect_launch(program, groups, one, reason);
    }
    expect_launch(program, (const uint32_t[]){1 << 24, 1, 1}, (const uint32_t[]){255, 1, 1}, NULL);
    expect_launch(program, (const uint32_t[]){1 << 24, 1, 1}, (const uint32_t[]){256, 1, 1},
                  is_hip ? "at most 4294967295 work-items in dimension 0, not 4294967296" : NULL);
    kt_program_destroy(&program);
}

/* Local memory is no parameter of a kernel: launches get the sum of it, which cuda.sh looks for. */
static void local_memory(void **state)
{
    const kt_program_desc desc = {.size = sizeof desc,
                                  .language = KT_LANGUAGE_CUDA_C,
                                  .entry = "local",
                                  .source = "__global__ void local(int *x, unsigned n) {}"};
    const uint32_t n = 1;
    kt_arg args[] = {{.value_bytes = 24},
                     {.memory = NULL},
                     {.value_bytes = is_hip ? 40000 : 200000},
                     {.value = &n, .value_bytes = sizeof n}};
    kt_step step = {.args = args, .arg_count = 4};
    const kt_job_desc job_desc = {
        .size = sizeof job_desc, .name = "local", .steps = &step, .step_count = 1};
    kt_memory *memory = NULL;
    kt_job *job = NULL;
    kt_result *result = NULL;
    EXPECT_OK(kt_program_create(device, &desc, &step.program));
    EXPECT_OK(kt_memory_create(device, KT_MEMORY_DEVICE, BYTES, &memory));
    args[1].memory = memory;
    EXPECT_OK(kt_job_create(device, &job_desc, &job));
    EXPECT_OK(try_measure(job, 1, &result));
    kt_result_destroy(&result);
    kt_job_destroy(&job);
    args[2].value_bytes = is_hip ? 49152 : 232448;
    EXPECT_STATUS(kt_job_create(device, &job_desc, &job), KT_LIMIT);
    EXPECT_TEXT_HAS(kt_error_text(), is_hip ? "gets 49176 bytes" : "gets 232472 bytes");
    args[2].value_bytes = SIZE_MAX;
    EXPECT_STATUS(kt_job_create(device, &job_desc, &job), KT_LIMIT);
    kt_memory_destroy(&memory);
    kt_program_destroy(&step.program);
}

/* What a driver from 12.4 on says. */
static void reflected(void **state)
{
    const kt_program_desc desc = {.size = sizeof desc,
                                  .language = KT_LANGUAGE_CUDA_C,
                                  .entry = "sized",
                                  .source = "__global__ void sized(int *x, unsigned n, long m) {}"};
    static const size_t bytes[] = {8, 4, 8};
    kt_program *program = NULL;
    const kt_program_info *info = NULL;
    EXPECT_OK(kt_program_create(device, &desc, &program));
    EXPECT_OK(kt_program_reflect(program, &info));
    assert_int_equal(info->has_parameters, !is_hip);
    assert_int_equal(info->parameter_count, is_hip ? 0 : 3);
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        assert_int_equal(info->parameters[i].kind, KT_PARAMETER_UNKNOWN);
        assert_int_equal(info->parameters[i].bytes, bytes[i]);
        assert_null(info->parameters[i].name);
    }
    assert_int_equal(info->max_group_size, 1024);
    assert_int_equal(info->group_multiple, 32);
    assert_int_equal(info->group_size[0], 0);
    kt_program_destroy(&program);
}

static void device_is_lost(void **state)
{
    kt_result *result = NULL;
    kt_program *program = make_program();
    const kt_step step = {.program = program};
    const kt_job_desc job_desc = {
        .size = sizeof job_desc, .name = "crash", .steps = &step, .step_count = 1};
    kt_job *job = NULL;
    EXPECT_OK(kt_job_create(device, &job_desc, &job));
    EXPECT_STATUS(try_measure(job, 1, &result), KT_DEVICE_LOST);
    EXPECT_TEXT_HAS(kt_error_text(),
                    is_hip ? "hipErrorIllegalAddress" : "CUDA_ERROR_ILLEGAL_ADDRESS");
    kt_result_destroy(&result);
    kt_job_destroy(&job);
    kt_program_destroy(&program);
}

/* ---- which ---- */

int set_up(void **state)
{
    EXPECT_OK(open_device());
    return 0;
}

int tear_down(void **state)
{
    close_device();
    return 0;
}

static kt_timestamp_state negative = KT_TIMESTAMP_NEGATIVE, zero = KT_TIMESTAMP_ZERO,
                          not_ready = KT_TIMESTAMP_NOT_READY, lost = KT_TIMESTAMP_LOST;
static bool with_gap = true, without_gap;
/* Two of sixteen are borne. After the fourth the job is not blocked any more, and what comes then is
 * of another method than what the series has: twelve are good at most. */
static losses seldom = {4, 6}, often = {28, 39};
static kt_reading invalid_clock = KT_READING_INVALID, failed_clock = KT_READING_FAILED,
                  unsupported_clock = KT_READING_UNSUPPORTED;
static const char *no_device[] = {"device", "device"},
                  *broken[] = {"cuInit failed: CUDA_ERROR_UNKNOWN (999)",
                               "hipInit failed: hipErrorUnknown (999)"},
                  *stub_library[] = {"the stub that toolkits bring for linking, not a driver"};

static const struct CMUnitTest moods[] = {
    MOOD(exact),
    MOOD(chained),
    MOOD(busy_launches),
    {"negative", spoilt, set_up, tear_down, &negative},
    {"nothing_written", spoilt, set_up, tear_down, &zero},
    {"not_ready", spoilt, set_up, tear_down, &not_ready},
    {"lost_timestamps", spoilt, set_up, tear_down, &lost},
    MOOD(blocked),
    MOOD(unblocked),
    {"blocked_shared", shared, set_up, tear_down, &without_gap},
    {"unblocked_shared", shared, set_up, tear_down, &with_gap},
    MOOD(waiting_shared),
    MOOD(many),
    {"given_up_seldom", given_up, set_up, tear_down, &seldom},
    {"given_up_often", given_up, set_up, tear_down, &often},
    MOOD(blocked_later),
    MOOD(kernel_clock),
    MOOD(nvml_clock),
    {"invalid_clock", no_clock, set_up, tear_down, &invalid_clock},
    {"failed_clock", no_clock, set_up, tear_down, &failed_clock},
    {"unsupported_clock", no_clock, set_up, tear_down, &unsupported_clock},
    {"unavailable", unavailable, NULL, NULL, no_device},
    {"broken", unavailable, NULL, NULL, broken},
    {"stub_library", unavailable, NULL, NULL, stub_library},
    MOOD(too_much_shared),
    MOOD(no_shared),
    MOOD(device_is_lost),
    MOOD(local_memory),
    MOOD(reflected),
    cmocka_unit_test(transfer_hangs),
    MOOD(limits),
    MOOD(compiled),
    MOOD(named),
    MOOD(not_loaded),
    MOODS_END,
};

/* kerntime opens the same library, so both see one world. */
static bool load_stub(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *now = library ? dlsym(library, "ktStubNow") : NULL;
    void *advance = library ? dlsym(library, "ktStubAdvance") : NULL;
    void *take = library ? dlsym(library, "ktStubTake") : NULL;
    if (!now || !advance || !take)
        return false;
    memcpy(&stub_now, &now, sizeof now);
    memcpy(&stub_advance, &advance, sizeof advance);
    memcpy(&stub_take, &take, sizeof take);
    return true;
}

int main(int argc, char **argv)
{
    if (argc != 4 || !load_stub(argv[2])) {
        fprintf(stderr, "usage: unit_cuda cuda|hip LIBRARY MOOD\n");
        return 2;
    }
    is_hip = strcmp(argv[1], "hip") == 0;
    snprintf(device_id, sizeof device_id, "%s:0", argv[1]);
    const struct CMUnitTest *const lists[] = {moods, NULL};
    return run_mood(argv[1], lists, argv[3]);
}
