/*
 * Kernels with planted faults, as `kerntime run` gets them: each fault is found and named.
 *
 *   conformance_run_launch DEVICE FOLDER
 *
 * Exits with 77 if the device is not here.
 */
#include "cli/commands/commands.h"
#include "cli/run/launch.h"
#include "tests/unit/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SKIPPED   77
#define WORDS_MAX 24
#define KEPT_MAX  8

static const char *device_id, *folder;
static kt_context *context;
static kt_device *device;

/* What became of the configurations of a command line, in their order. */
typedef struct outcome {
    launch_result results[KEPT_MAX];
    size_t count;
    uint32_t trials_max; /* of the last one that passed */
    char lines[1024];    /* what was said of the last one that passed */
} outcome;

/* Writes a file into the folder; returns its path until the next call of that name. */
static const char *write_kernel(const char *name, const char *text)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
    return path;
}

static void forget_expected(void)
{
    char path[1024];
    for (int contest = 0; contest < 4; contest++) {
        snprintf(path, sizeof path, "%s/%d.outputs", folder, contest);
        remove(path);
    }
}

static void add_lines(const launch *l, char *lines, size_t bytes)
{
    char line[256];
    lines[0] = 0;
    for (size_t i = 0; launch_describe(l, i, line, sizeof line); i++) {
        size_t length = strlen(lines);
        snprintf(lines + length, bytes - length, "%s\n", line);
    }
}

/* Measures a launch that passed, and returns the number of its good samples. */
static uint32_t measure(const launch *l)
{
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = 3,
                                        .samples_max = 3,
                                        .max_time_ns = 1000000,
                                        .timing = KT_TIMING_WALL};
    kt_result *result;
    kt_status status = kt_measure(launch_job(l), &options, &result);
    if (status != KT_OK)
        print_message("%s\n", kt_error_text());
    assert_int_equal(status, KT_OK);
    const kt_series *series = kt_result_find(result, "wall");
    uint32_t samples = series ? series->summary.n : 0;
    kt_result_destroy(&result);
    return samples;
}

/* Checks all configurations of "kerntime run WORDS", and measures those that pass. */
static outcome run(const char *words)
{
    char text[2048], command[] = "run", *argv[WORDS_MAX + 1] = {command};
    int argc = 1;
    snprintf(text, sizeof text, "%s", words);
    for (char *word = strtok(text, "\t"); word && argc < WORDS_MAX; word = strtok(NULL, "\t"))
        argv[argc++] = word;
    cli_options options;
    selected_device selected = {.info = *kt_device_get_info(device)};
    const cli_selection selection = {.context = context, .devices = &selected, .count = 1};
    run_plan *plan = calloc(1, sizeof *plan);
    outcome out = {.count = 0};
    launch_pool *pool;
    assert_non_null(plan);
    assert_int_equal(options_parse(command_find("run"), argc, argv, &options), -1);
    assert_int_equal(run_plan_make(&options, &selection, plan), EXIT_DONE);
    forget_expected();
    assert_int_equal(launch_pool_create(plan, device, folder, &pool), KT_OK);
    for (size_t i = 0; i < plan->configuration_count + plan->has_reference; i++) {
        size_t index = i - plan->has_reference;
        bool is_reference = plan->has_reference && i == 0;
        launch *l = NULL;
        launch_result *result = &out.results[out.count++];
        int code = launch_create(
            pool, is_reference ? plan->references : &plan->configurations[index], &l, result);
        if (code == 0)
            code = launch_check(l, i == 0, result);
        assert_int_equal(code, result->outcome == OUTCOME_OK ? 0 : -1);
        if (code == 0) {
            add_lines(l, out.lines, sizeof out.lines);
            assert_int_equal(measure(l), 3);
        }
        launch_destroy(&l);
    }
    launch_pool_destroy(&pool);
    run_plan_free(plan);
    free(plan);
    for (size_t i = 0; i < out.count; i++) {
        free(out.results[i].log);
        out.results[i].log = NULL;
    }
    return out;
}

/* The same of one kernel and these words behind its name. */
static outcome run_text(const char *text, const char *words)
{
    char line[2048];
    snprintf(line, sizeof line, "%s\t%s", write_kernel("kernel.cl", text), words);
    return run(line);
}

static void expect(const outcome *o, size_t index, launch_outcome wanted, const char *reason)
{
    assert_true(index < o->count);
    const launch_result *r = &o->results[index];
    if (r->outcome != wanted || !strstr(r->reason, reason))
        print_message("%s: %s\n", outcome_words[r->outcome], r->reason);
    assert_int_equal(r->outcome, wanted);
    assert_non_null(strstr(r->reason, reason));
}

#define SAXPY                                                                            \
    "__kernel void saxpy(float a, __global const float *x, __global float *y, uint n)\n" \
    "{\n"                                                                                \
    "    size_t i = get_global_id(0);\n"                                                 \
    "    if (i < n)\n"                                                                   \
    "        y[i] = a * x[i] + y[i];\n"                                                  \
    "}\n"

static void a_right_kernel_passes_and_is_measured(void **state)
{
    outcome o = run_text(SAXPY, "-n\t1000");
    expect(&o, 0, OUTCOME_OK, "");
    assert_true(o.results[0].build_ns > 0 && o.results[0].first_use_ns > 0);
    assert_non_null(strstr(o.lines, "n: uint = 1000 (guess)"));
    assert_non_null(strstr(o.lines, "writes y, and something else the next time"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_right_kernel_passes_and_is_measured),
};

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s DEVICE FOLDER\n", argv[0]);
        return 2;
    }
    device_id = argv[1];
    folder = argv[2];
    if (kt_context_create(&context, NULL) != KT_OK ||
        kt_device_open(context, device_id, &device) != KT_OK) {
        printf("skipped: %s\n", kt_error_text());
        kt_context_destroy(&context);
        return SKIPPED;
    }
    int failed = cmocka_run_group_tests_name("run_launch", tests, NULL, NULL);
    kt_device_close(&device);
    kt_context_destroy(&context);
    return failed;
}
