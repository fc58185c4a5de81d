/*
 * The backend of Metal over its stub, in one of its moods; metal.sh says which script goes with
 * which.
 *
 *   unit_metal LIBRARY MOOD
 */
#include "tests/unit/backends/metal/metal.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 1024, GROUP = 256 };

metal_stub stub;
kt_context *context;
kt_device *device;

/* Each look takes a moment, so whoever waits for a time has it come. */
static int64_t look(void *user)
{
    (void)user;
    stub.advance(20);
    return stub.now();
}

static void let_pass(void *user, int64_t duration_ns)
{
    (void)user;
    stub.advance(duration_ns);
}

kt_status open_device(void)
{
    const kt_context_options options = {.size = sizeof options,
                                        .host_clock = {.now = look, .sleep = let_pass}};
    EXPECT_OK(kt_context_create(&context, &options));
    return kt_device_open(context, "metal:0", &device);
}

void close_device(void)
{
    kt_device_close(&device);
    kt_context_destroy(&context);
}

kt_status make_program(kt_program **out)
{
    const kt_program_desc desc = {
        .size = sizeof desc,
        .language = KT_LANGUAGE_MSL,
        .entry = "fill",
        .source = "kernel void fill(device uint *x [[buffer(0)]], constant uint &n [[buffer(1)]], "
                  "uint i [[thread_position_in_grid]]) { if (i < n) x[i] = i; }"};
    return kt_program_create(device, &desc, out);
}

static kt_status make_job(work *w, const kt_step *step, uint32_t count)
{
    kt_step *steps = calloc(count, sizeof *steps);
    assert_non_null(steps);
    for (uint32_t i = 0; i < count; i++)
        steps[i] = *step;
    const kt_job_desc desc = {
        .size = sizeof desc, .name = "work", .steps = steps, .step_count = count};
    kt_status status = kt_job_create(device, &desc, &w->job);
    free(steps);
    return status;
}

static kt_status fill_with(work *w, uint32_t steps, uint32_t group_size)
{
    const uint32_t n = WORDS;
    EXPECT_OK(kt_memory_create(device, KT_MEMORY_DEVICE, WORDS * sizeof n, &w->memory));
    EXPECT_OK(make_program(&w->program));
    const kt_arg args[] = {{.memory = w->memory}, {.value = &n, .value_bytes = sizeof n}};
    const kt_step step = {.name = "step",
                          .program = w->program,
                          .args = args,
                          .arg_count = 2,
                          .groups = {WORDS / group_size, 1, 1},
                          .group_size = {group_size, 1, 1}};
    return make_job(w, &step, steps);
}

work make_fill(uint32_t steps)
{
    work w = {NULL, NULL, NULL, NULL};
    EXPECT_OK(fill_with(&w, steps, GROUP));
    return w;
}

kt_status try_group(uint32_t group_size)
{
    work w = {NULL, NULL, NULL, NULL};
    kt_status status = fill_with(&w, 1, group_size);
    destroy_work(&w);
    return status;
}

work make_empty(uint32_t steps)
{
    work w = {NULL, NULL, NULL, NULL};
    const kt_step step = {.name = "step", .kind = KT_STEP_EMPTY};
    EXPECT_OK(make_job(&w, &step, steps));
    return w;
}

kt_status try_shift(uint32_t offset, size_t bytes)
{
    work w = {NULL, NULL, NULL, NULL};
    EXPECT_OK(kt_memory_create(device, KT_MEMORY_DEVICE, WORDS, &w.memory));
    const kt_step step = {.name = "step",
                          .kind = KT_STEP_COPY,
                          .src = w.memory,
                          .dst = w.memory,
                          .dst_offset_bytes = offset,
                          .copy_bytes = bytes};
    kt_status status = make_job(&w, &step, 1);
    destroy_work(&w);
    return status;
}

work make_copy(kt_memory_kind from, kt_memory_kind to)
{
    work w = {NULL, NULL, NULL, NULL};
    EXPECT_OK(kt_memory_create(device, from, WORDS, &w.memory));
    EXPECT_OK(kt_memory_create(device, to, WORDS, &w.other));
    const kt_step step = {
        .name = "step", .kind = KT_STEP_COPY, .src = w.memory, .dst = w.other, .copy_bytes = WORDS};
    EXPECT_OK(make_job(&w, &step, 1));
    return w;
}

void destroy_work(work *w)
{
    kt_job_destroy(&w->job);
    kt_program_destroy(&w->program);
    kt_memory_destroy(&w->other);
    kt_memory_destroy(&w->memory);
}

kt_status try_measure(const work *w, uint32_t samples, kt_result **out)
{
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = samples,
                                        .samples_max = samples,
                                        .max_time_ns = 1,
                                        .timeout_ns = time_limit_ns(),
                                        .trials = 1,
                                        .timing = KT_TIMING_DEVICE,
                                        .keep_raw = 1};
    return kt_measure(w->job, &options, out);
}

const kt_series *work_of(const kt_result *result)
{
    const kt_series *series = kt_result_find(result, "step");
    assert_non_null(series);
    return series;
}

/* kerntime opens the same library, so both see one world. */
static bool load_stub(const char *path)
{
    static const struct {
        const char *name;
        size_t offset;
    } rows[] = {{"ktStubNow", offsetof(metal_stub, now)},
                {"ktStubAdvance", offsetof(metal_stub, advance)},
                {"ktStubTake", offsetof(metal_stub, take)}};
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && library; i++) {
        void *symbol = dlsym(library, rows[i].name);
        if (!symbol)
            return false;
        memcpy((char *)&stub + rows[i].offset, &symbol, sizeof symbol);
    }
    return library != NULL;
}

int main(int argc, char **argv)
{
    const metal_mood *const lists[] = {metal_times, metal_failures};
    if (argc != 3 || !load_stub(argv[1])) {
        fprintf(stderr, "usage: unit_metal LIBRARY MOOD\n");
        return 2;
    }
    for (int i = 0; i < 2; i++)
        for (const metal_mood *mood = lists[i]; mood->name; mood++)
            if (strcmp(mood->name, argv[2]) == 0) {
                const struct CMUnitTest tests[] = {{mood->name, mood->test, NULL, NULL, NULL}};
                return cmocka_run_group_tests_name("metal", tests, NULL, NULL);
            }
    fprintf(stderr, "no such mood\n");
    return 2;
}
