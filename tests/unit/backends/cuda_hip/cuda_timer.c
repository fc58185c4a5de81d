/* SPDX-License-Identifier: MIT */
/*
 * Timers in streams of CUDA and HIP, over the stub driver in one of its moods; cuda_timer.sh says
 * which script goes with which.
 *
 *   unit_cuda_timer cuda|hip MOOD
 */
#include "tests/unit/backends/cuda_hip/cuda_user.h"
#include "tests/unit/moods.h"
#include "tests/unit/timer/context_counts.h"

#include <dlfcn.h>
#include <kerntime/snapshot.h>
#include <pthread.h>
#include <stdatomic.h>

#define WORK_NS 300000.0 /* copy_ns in all scripts */
#define STEP_NS 500.0    /* step_ns: both ends of a span are cut to multiples of it */

kt_timer_context *timer_context;

static void open_all(void)
{
    user_open();
    EXPECT_OK(user_import(streams[0], 0, &timer_context));
    EXPECT_OK(user_add(timer_context, streams[1]));
    EXPECT_OK(user_add(timer_context, NULL));
}

static void close_all(void)
{
    kt_timer_context_close(&timer_context);
    assert_null(timer_context);
    user_close();
}

static kt_timer *make_timer(const char *name)
{
    kt_timer *timer = NULL;
    EXPECT_OK(kt_timer_create(timer_context, name, &timer));
    return timer;
}

static void span(kt_timer *timer, cuda_stream stream, int work)
{
    EXPECT_OK(kt_timer_start(timer, stream));
    user_work(stream, work);
    EXPECT_OK(kt_timer_stop(timer, stream));
}

/* `good` spans were recorded, `bad` are counted as `state`, nothing else, and nothing is in
 * flight. */
#define EXPECT_SETTLED(good, bad, state) \
    do {                                 \
        EXPECT_HELD(0, 0);               \
        EXPECT_COUNTS(good, state, bad); \
    } while (0)

/* Empty ones may take less than a step. */
static void expect_settled(uint64_t all)
{
    EXPECT_HELD(0, 0);
    kt_timer_context_counts counts = get_counts();
    assert_int_equal(counts.recorded + counts.discarded[KT_TIMESTAMP_BELOW_MIN_SPAN], all);
}

/* ---- spans ---- */

/* At least as long as the work, and no longer than the host saw it take. */
static void spans_are_as_long_as_the_work(void **state)
{
    const cuda_stream all[3] = {streams[0], streams[1], NULL};
    kt_timer *timers[3] = {make_timer("first"), make_timer("second"), make_timer("default")};
    const kt_clock_info *clock = kt_timer_context_get_clock(timer_context, 0);
    assert_int_equal(clock->method, KT_METHOD_EVENT_PAIR);
    EXPECT_NUMBER(clock->period_ns, NAN);
    for (int work = 1; work <= 4; work++) {
        int64_t begin_ns = kt_host_now_ns();
        for (int i = 0; i < 3; i++)
            span(timers[i], all[i], work + i);
        EXPECT_OK(kt_timer_context_wait(timer_context, 0));
        double most_ns = (double)(kt_host_now_ns() - begin_ns);
        for (int i = 0; i < 3; i++) {
            double elapsed_ns = NAN;
            EXPECT_OK(kt_timer_elapsed(timers[i], &elapsed_ns));
            assert_true(elapsed_ns >= (work + i) * WORK_NS - STEP_NS);
            assert_true(elapsed_ns <= most_ns + STEP_NS);
            EXPECT_NUMBER(fmod(elapsed_ns, STEP_NS), 0);
        }
    }
    EXPECT_SETTLED(12, 0, KT_TIMESTAMP_OK);
    kt_snapshot *snapshot = NULL;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    const kt_row *row = kt_snapshot_find(snapshot, "default", user_backend);
    assert_non_null(row);
    assert_int_equal(row->count, 4);
    kt_snapshot_destroy(&snapshot);
    for (int i = 0; i < 3; i++)
        kt_timer_destroy(&timers[i]);
}

/* Of those that were made while importing: cuda_timer.sh counts them. */
static void events_are_used_again(void **state)
{
    enum { AT_ONCE = 60, ROUNDS = 20 };
    kt_timer *timer = make_timer("again");
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < AT_ONCE; i++) {
            EXPECT_OK(kt_timer_start(timer, streams[i % 2]));
            EXPECT_OK(kt_timer_stop(timer, streams[i % 2]));
        }
        EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    }
    expect_settled(AT_ONCE * ROUNDS);
    kt_timer_destroy(&timer);
}

/* Nobody collects them: cuda_timer.sh counts what start and stop alone call. */
static void spans_are_recorded(void **state)
{
    kt_timer *timer = make_timer("recorded");
    for (int i = 0; i < 60; i++)
        span(timer, streams[i % 2], 0);
    kt_timer_destroy(&timer);
}

/* NULL is a stream like any other: known if it was imported. */
static void the_default_stream(void **state)
{
    user_open();
    EXPECT_OK(user_import(streams[0], 0, &timer_context));
    kt_timer *timer = make_timer("null");
    EXPECT_STATUS(kt_timer_start(timer, NULL), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "this queue or list was not imported");
    EXPECT_OK(user_add(timer_context, NULL));
    EXPECT_OK(user_add(timer_context, NULL));
    EXPECT_OK(kt_timer_start(timer, NULL));
    user_work(NULL, 1);
    EXPECT_STATUS(kt_timer_stop(timer, streams[0]), KT_INVALID);
    EXPECT_OK(kt_timer_stop(timer, NULL));
    EXPECT_OK(kt_timer_wait(timer, 0));
    EXPECT_SETTLED(1, 0, KT_TIMESTAMP_OK);
    kt_timer_destroy(&timer);
    kt_timer_context_close(&timer_context);
    EXPECT_OK(is_hip ? kt_timer_context_import_hip(NULL, &timer_context)
                     : kt_timer_context_import_cuda(NULL, &timer_context));
    timer = make_timer("null");
    span(timer, NULL, 1);
    EXPECT_OK(kt_timer_wait(timer, 0));
    EXPECT_SETTLED(1, 0, KT_TIMESTAMP_OK);
    kt_timer_destroy(&timer);
    close_all();
}

/* CU_STREAM_LEGACY is NULL by another name; CU_STREAM_PER_THREAD is the thread's own. HIP has the
 * same. */
static void named_default_streams(void **state)
{
    /* Numbers in place of handles, as in cuda.h. NOLINTNEXTLINE(performance-no-int-to-ptr) */
    const cuda_stream names[2] = {(cuda_stream)(uintptr_t)1, (cuda_stream)(uintptr_t)2};
    user_open();
    EXPECT_OK(user_import(names[0], 0, &timer_context));
    EXPECT_OK(user_add(timer_context, names[1]));
    kt_timer *timer = make_timer("by name");
    for (int i = 0; i < 2; i++)
        span(timer, names[i], 1);
    EXPECT_OK(kt_timer_wait(timer, 0));
    EXPECT_SETTLED(2, 0, KT_TIMESTAMP_OK);
    kt_timer_destroy(&timer);
    close_all();
}

/* HIP's alone: what is no stream of this device is refused, and nothing is lost by it. */
static void wrong_streams(void **state)
{
    cuda_stream far = NULL, gone = NULL;
    kt_timer_context *refused = NULL;
    assert_int_equal(user.stream_create(&gone, CUDA_STREAM_NON_BLOCKING), CUDA_OK);
    assert_int_equal(user.stream_destroy(gone), CUDA_OK);
    assert_int_equal(user.set_device(1), CUDA_OK);
    assert_int_equal(user.stream_create(&far, CUDA_STREAM_NON_BLOCKING), CUDA_OK);
    EXPECT_STATUS(user_import(streams[0], 0, &refused), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "the stream belongs to device 0, not to the one imported, 1");
    assert_int_equal(user.set_device(0), CUDA_OK);
    EXPECT_STATUS(user_add(timer_context, far), KT_INVALID);
    EXPECT_STATUS(user_add(timer_context, gone), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "there is no such stream");
    EXPECT_STATUS(user_import(gone, 0, &refused), KT_INVALID);
    assert_null(refused);
    assert_int_equal(user.stream_destroy(far), CUDA_OK);
}

/* What the program has loaded is what kerntime calls, though the loader would find a newer one. */
static void the_programs_own_runtime(void **state)
{
    open_all();
    assert_null(dlopen("libamdhip64.so.7", RTLD_NOW | RTLD_NOLOAD));
    kt_timer *timer = make_timer("own");
    span(timer, streams[0], 1);
    EXPECT_OK(kt_timer_wait(timer, 0));
    EXPECT_SETTLED(1, 0, KT_TIMESTAMP_OK);
    kt_timer_destroy(&timer);
    close_all();
    void *newer = dlopen("libamdhip64.so.7", RTLD_NOW); /* it was there to be found */
    assert_non_null(newer);
    dlclose(newer);
}

/* ---- captures ---- */

static void expect_refused(kt_status status)
{
    EXPECT_STATUS(status, KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), "being captured into a graph");
}

static void captured_streams_are_refused(void **state)
{
    void *graph = NULL;
    kt_timer *timer = make_timer("captured");
    assert_int_equal(user.begin_capture(streams[0], 0), CUDA_OK);
    expect_refused(kt_timer_start(timer, streams[0]));
    EXPECT_OK(kt_timer_stop(timer, streams[0])); /* there is no span */
    span(timer, streams[1], 1);                  /* another one is free */
    assert_int_equal(user.end_capture(streams[0], &graph), CUDA_OK);
    EXPECT_OK(kt_timer_wait(timer, 0));
    EXPECT_SETTLED(1, 0, KT_TIMESTAMP_OK);
    /* It begins within a span. */
    EXPECT_OK(kt_timer_start(timer, streams[0]));
    assert_int_equal(user.begin_capture(streams[0], 0), CUDA_OK);
    expect_refused(kt_timer_stop(timer, streams[0]));
    assert_int_equal(user.end_capture(streams[0], &graph), CUDA_OK);
    EXPECT_SETTLED(1, 1, KT_TIMESTAMP_ERROR);
    span(timer, streams[0], 1);
    EXPECT_OK(kt_timer_wait(timer, 0));
    EXPECT_SETTLED(2, 1, KT_TIMESTAMP_ERROR);
    kt_timer_destroy(&timer);
}

static void *wait_for_all(void *unused)
{
    (void)unused;
    return kt_timer_context_wait(timer_context, 0) == KT_OK ? &timer_context : NULL;
}

/* In the global mode, which spoils the capture where any thread asks for an event as it is. */
static void captures_are_not_disturbed(void **state)
{
    void *graph = NULL, *good = NULL;
    pthread_t collector;
    kt_timer *timer = make_timer("beside");
    span(timer, streams[1], 3);
    assert_int_equal(user.begin_capture(streams[0], 0), CUDA_OK);
    EXPECT_OK(kt_collect(timer_context));
    for (int i = 0; i < 100; i++) /* more than there are events: some are made now */
        span(timer, streams[1], 0);
    assert_int_equal(pthread_create(&collector, NULL, wait_for_all, NULL), 0);
    assert_int_equal(pthread_join(collector, &good), 0);
    assert_ptr_equal(good, &timer_context);
    kt_timer_context *second = NULL;
    EXPECT_OK(user_import(streams[1], 0, &second));
    kt_timer_context_close(&second);
    assert_int_equal(user.end_capture(streams[0], &graph), CUDA_OK);
    kt_timer_destroy(&timer);
}

static void measure_something(void)
{
    kt_context *context = NULL;
    kt_device *device = NULL;
    kt_memory *memories[2] = {NULL, NULL};
    kt_job *job = NULL;
    kt_result *result = NULL;
    EXPECT_OK(kt_context_create(&context, NULL));
    EXPECT_OK(kt_device_open(context, is_hip ? "hip:0" : "cuda:0", &device));
    for (int i = 0; i < 2; i++)
        EXPECT_OK(kt_memory_create(device, KT_MEMORY_DEVICE, WORK_BYTES, &memories[i]));
    const kt_step step = {
        .kind = KT_STEP_COPY, .src = memories[0], .dst = memories[1], .copy_bytes = WORK_BYTES};
    const kt_job_desc desc = {
        .size = sizeof desc, .name = "beside", .steps = &step, .step_count = 1};
    const kt_measure_options options = {
        .size = sizeof options, .samples_min = 2, .samples_max = 2, .max_time_ns = 1, .trials = 1};
    EXPECT_OK(kt_job_create(device, &desc, &job));
    EXPECT_OK(kt_measure(job, &options, &result));
    kt_result_destroy(&result);
    kt_job_destroy(&job);
    for (int i = 0; i < 2; i++)
        kt_memory_destroy(&memories[i]);
    kt_device_close(&device);
    kt_context_destroy(&context);
}

/* Allocating and waiting would spoil it, as asking for an event does. */
static void captures_beside_the_benchmark_api(void **state)
{
    void *graph = NULL;
    user_open();
    assert_int_equal(user.begin_capture(streams[0], 0), CUDA_OK);
    measure_something();
    assert_int_equal(user.end_capture(streams[0], &graph), CUDA_OK);
    user_close();
}

/* ---- threads and their contexts ---- */

static void *use_elsewhere(void *timer)
{
    cuda_context context = NULL;
    cuda_ordinal device = -1;
    cuda_capture_mode mode = 1; /* thread-local */
    assert_int_equal(user.exchange_mode(&mode), CUDA_OK);
    if (is_hip)
        assert_int_equal(user.set_device(1), CUDA_OK);
    EXPECT_OK(kt_timer_start(timer, streams[0]));
    EXPECT_OK(kt_timer_stop(timer, streams[0]));
    EXPECT_OK(kt_timer_start(timer, NULL));
    EXPECT_OK(kt_timer_stop(timer, NULL));
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    if (is_hip) {
        assert_int_equal(user.get_device(&device), CUDA_OK);
        assert_int_equal(device, 1);
    } else {
        assert_int_equal(user.get_context(&context), CUDA_OK);
        assert_null(context);
    }
    assert_int_equal(user.exchange_mode(&mode), CUDA_OK);
    assert_int_equal(mode, 1);
    return NULL;
}

/* One without a context, or with another device. */
static void threads_keep_what_they_have(void **state)
{
    pthread_t thread;
    kt_timer *timer = make_timer("elsewhere");
    assert_int_equal(pthread_create(&thread, NULL, use_elsewhere, timer), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    expect_settled(2);
    kt_timer_destroy(&timer);
}

/* CUDA's alone. */
static void contexts(void **state)
{
    cuda_context other = NULL, current = NULL;
    cuda_stream stream = NULL;
    kt_timer_context *refused = NULL;
    assert_int_equal(user.context_create(&other, 0, 0), CUDA_OK); /* current from now on */
    assert_int_equal(user.stream_create(&stream, 0), CUDA_OK);
    EXPECT_STATUS(user_add(timer_context, stream), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "another context than the one imported: import its own");
    EXPECT_STATUS(user_import(streams[0], 0, &refused), KT_INVALID);
    const kt_cuda_import named = {.size = sizeof named,
                                  .context = (struct CUctx_st *)user_context,
                                  .stream = (struct CUstream_st *)streams[0]};
    kt_timer_context *second = NULL;
    EXPECT_OK(kt_timer_context_import_cuda(&named, &second));
    kt_timer_context_close(&second);
    assert_int_equal(user.get_context(&current), CUDA_OK);
    assert_ptr_equal(current, other);
    assert_int_equal(user.stream_destroy(stream), CUDA_OK);
    assert_int_equal(user.context_destroy(other), CUDA_OK);
    assert_int_equal(user.set_context(NULL), CUDA_OK);
    EXPECT_STATUS(user_import(NULL, 0, &refused), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "no context");
    assert_null(refused);
    assert_int_equal(user.set_context(user_context), CUDA_OK);
}

/* CUDA's alone: a stream of a green context, whichever of the two contexts was imported. */
static void green_contexts(void **state)
{
    cuda_green_context green = NULL;
    cuda_context own = NULL;
    cuda_stream stream = NULL;
    assert_int_equal(user.green_create(&green, NULL, 0, 1), CUDA_OK);
    assert_int_equal(user.green_stream(&stream, green, CUDA_STREAM_NON_BLOCKING, 0), CUDA_OK);
    EXPECT_OK(user_add(timer_context, stream));
    kt_timer *timer = make_timer("green");
    double elapsed_ns = NAN;
    span(timer, stream, 2);
    EXPECT_OK(kt_timer_wait(timer, 0));
    EXPECT_OK(kt_timer_elapsed(timer, &elapsed_ns));
    assert_true(elapsed_ns >= 2 * WORK_NS - STEP_NS);
    EXPECT_SETTLED(1, 0, KT_TIMESTAMP_OK);
    kt_timer_destroy(&timer);
    kt_timer_context *second = NULL;
    assert_int_equal(user.green_context(&own, green), CUDA_OK);
    assert_int_equal(user.set_context(own), CUDA_OK);
    EXPECT_OK(user_import(stream, 0, &second));
    kt_timer_context_close(&second);
    assert_int_equal(user.set_context(user_context), CUDA_OK);
    assert_int_equal(user.stream_destroy(stream), CUDA_OK);
    assert_int_equal(user.green_destroy(green), CUDA_OK);
}

/* CUDA's alone: nothing crashes, and what was in flight is counted. */
static void a_destroyed_context(void **state)
{
    cuda_context other = NULL;
    user_open();
    assert_int_equal(user.context_create(&other, 0, 0), CUDA_OK);
    EXPECT_OK(user_import(NULL, 0, &timer_context));
    kt_timer *timer = make_timer("gone");
    EXPECT_OK(kt_timer_start(timer, NULL));
    EXPECT_OK(kt_timer_stop(timer, NULL));
    assert_int_equal(user.context_destroy(other), CUDA_OK);
    assert_true(kt_collect(timer_context) != KT_OK);
    EXPECT_SETTLED(0, 1, KT_TIMESTAMP_ERROR);
    assert_true(kt_timer_start(timer, NULL) != KT_OK);
    kt_timer_destroy(&timer);
    kt_timer_context_close(&timer_context);
    assert_int_equal(user.set_context(user_context), CUDA_OK);
    user_close();
}

/* CUDA's alone: the handle is what it was, and kerntime's events are gone nevertheless. */
static void a_reset_context(void **state)
{
    user_open();
    EXPECT_OK(user_import(streams[0], 0, &timer_context));
    assert_int_equal(user.reset(0), CUDA_OK);
    kt_timer_context_close(&timer_context);
    assert_int_equal(user.set_context(NULL), CUDA_OK);
    assert_int_equal(user.let_go(0), CUDA_OK);
}

typedef struct worker {
    cuda_stream stream;
    kt_timer *timer;
} worker;

static atomic_bool working;

static void *work(void *argument)
{
    const worker *w = argument;
    if (!is_hip)
        user.set_context(user_context);
    for (int i = 0; i < 500; i++) {
        EXPECT_OK(kt_timer_start(w->timer, w->stream));
        EXPECT_OK(kt_timer_stop(w->timer, w->stream));
    }
    if (!is_hip)
        user.set_context(NULL);
    return NULL;
}

static void *collect(void *unused)
{
    while (atomic_load(&working))
        EXPECT_OK(kt_collect(timer_context));
    return unused;
}

static void threads_beside_each_other(void **state)
{
    pthread_t threads[2], collector;
    worker workers[2] = {{streams[0], make_timer("one")}, {streams[1], make_timer("two")}};
    atomic_store(&working, true);
    assert_int_equal(pthread_create(&collector, NULL, collect, NULL), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    atomic_store(&working, false);
    assert_int_equal(pthread_join(collector, NULL), 0);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    expect_settled(1000);
    for (int i = 0; i < 2; i++)
        kt_timer_destroy(&workers[i].timer);
}

/* ---- what drivers say ---- */

/* Every second distance is so; importing asks for the first one, which is good. */
static void every_second(void **state)
{
    const kt_timestamp_state expected = *(const kt_timestamp_state *)*state;
    kt_timer *timer = make_timer("spoilt");
    for (int i = 0; i < 10; i++)
        span(timer, streams[i % 2], 1);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_SETTLED(5, 5, expected);
    kt_timer_destroy(&timer);
}

static void the_device_is_lost(void **state)
{
    kt_timer *timer = make_timer("lost");
    span(timer, streams[0], 1);
    EXPECT_STATUS(kt_collect(timer_context), KT_DEVICE_LOST);
    EXPECT_SETTLED(0, 1, KT_TIMESTAMP_ERROR);
    kt_timer_destroy(&timer);
}

/* HIP's alone: 709 is of a stream there, not of the device. */
static void nothing_is_lost(void **state)
{
    kt_timer *timer = make_timer("wrong");
    span(timer, streams[0], 1);
    EXPECT_STATUS(kt_collect(timer_context), KT_DRIVER_ERROR);
    kt_timer_destroy(&timer);
}

typedef struct refusal {
    kt_status status;
    const char *text;
} refusal;

static void no_import(void **state)
{
    const refusal *expected = *state;
    kt_timer_context *refused = NULL;
    if (expected->status != KT_UNAVAILABLE)
        user_open();
    EXPECT_STATUS(user_import(NULL, 0, &refused), expected->status);
    EXPECT_TEXT_HAS(kt_error_text(), expected->text);
    assert_null(refused);
    if (expected->status != KT_UNAVAILABLE)
        user_close();
}

static void misuse(void **state)
{
    kt_timer_context *other = NULL;
    kt_timer_context *out = NULL;
    open_all();
    EXPECT_STATUS(kt_timer_context_add_cuda_stream(NULL, NULL), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_timer_context_add_hip_stream(NULL, NULL), KT_UNAVAILABLE);
    EXPECT_STATUS(is_hip ? kt_timer_context_add_cuda_stream(timer_context, NULL)
                         : kt_timer_context_add_hip_stream(timer_context, NULL),
                  KT_INVALID);
    EXPECT_OK(kt_timer_context_import_cpu(&other));
    EXPECT_STATUS(user_add(other, NULL), KT_INVALID);
    kt_timer_context_close(&other);
    const kt_cuda_import cuda = {.size = 0};
    const kt_hip_import hip = {.size = 0};
    EXPECT_STATUS(is_hip ? kt_timer_context_import_hip(&hip, &out)
                         : kt_timer_context_import_cuda(&cuda, &out),
                  KT_INVALID);
    kt_timer *timer = make_timer("two streams");
    kt_recording *recording = NULL;
    EXPECT_STATUS(kt_recording_create(timer_context, NULL, &recording), KT_UNSUPPORTED);
    EXPECT_OK(kt_timer_start(timer, streams[0]));
    EXPECT_STATUS(kt_timer_stop(timer, streams[1]), KT_INVALID);
    kt_timer_context_close(&timer_context); /* with a timer that runs */
    EXPECT_STATUS(kt_timer_start(timer, streams[0]), KT_INVALID);
    kt_timer_destroy(&timer);
    user_close();
}

int set_up(void **state)
{
    open_all();
    return 0;
}

int tear_down(void **state)
{
    close_all();
    return 0;
}

static kt_timestamp_state negative = KT_TIMESTAMP_NEGATIVE, lost = KT_TIMESTAMP_LOST,
                          zero = KT_TIMESTAMP_ZERO;
static refusal untrusted = {KT_UNSUPPORTED, "untrusted timestamps"},
               no_times = {KT_DRIVER_ERROR, "has no distance"}, no_device = {KT_UNAVAILABLE, ""};

static const struct CMUnitTest moods[] = {
    MOOD(spans_are_as_long_as_the_work),
    MOOD(events_are_used_again),
    MOOD(spans_are_recorded),
    cmocka_unit_test(the_default_stream),
    cmocka_unit_test(named_default_streams),
    MOOD(wrong_streams),
    cmocka_unit_test(the_programs_own_runtime),
    cmocka_unit_test(captures_beside_the_benchmark_api),
    cmocka_unit_test(a_reset_context),
    MOOD(nothing_is_lost),
    MOOD(captured_streams_are_refused),
    MOOD(captures_are_not_disturbed),
    MOOD(threads_keep_what_they_have),
    MOOD(contexts),
    MOOD(green_contexts),
    cmocka_unit_test(a_destroyed_context),
    MOOD(threads_beside_each_other),
    {"become_negative", every_second, set_up, tear_down, &negative},
    {"become_lost", every_second, set_up, tear_down, &lost},
    {"become_nothing", every_second, set_up, tear_down, &zero},
    MOOD(the_device_is_lost),
    {"untrusted_times", no_import, NULL, NULL, &untrusted},
    {"there_are_no_times", no_import, NULL, NULL, &no_times},
    {"there_is_no_device", no_import, NULL, NULL, &no_device},
    cmocka_unit_test(misuse),
    MOODS_END,
};

int main(int argc, char **argv)
{
    const struct CMUnitTest *const lists[] = {moods, NULL};
    if (argc != 3)
        return 2;
    user_load(argv[1]);
    return run_mood("cuda_timer", lists, argv[2]);
}
