/* SPDX-License-Identifier: MIT */
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

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SKIPPED   77
#define WORDS_MAX 24
#define KEPT_MAX  8

static const char *device_id, *folder;
static kt_context *context;
static kt_device *device;
static kt_status wanted_status = KT_OK; /* of measurements */

/* What became of the configurations of a command line, in their order. */
typedef struct outcome {
    launch_result results[KEPT_MAX];
    size_t count;
    uint32_t trials_max;                 /* of the last one that passed */
    bool is_verified;                    /* likewise, after it was measured */
    char variation[LAUNCH_REASON_BYTES]; /* of the first one */
    char lines[1024];                    /* what was said of the last one that passed */
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

static void forget_expected(const run_plan *plan)
{
    char path[1024];
    for (size_t i = 0; i < plan->configuration_count; i++) {
        snprintf(path, sizeof path, "%s/%u.outputs", folder, plan->configurations[i].expected);
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

/* Checks a configuration in a pool; the launch stays open if it passed. */
static int check_one(launch_pool *pool, const configuration *c, bool is_reference, launch **l,
                     launch_result *result)
{
    int code = launch_create(pool, c, l, result);
    if (code == 0)
        code = launch_check(*l, is_reference, result);
    assert_int_equal(code, result->outcome == OUTCOME_OK ? 0 : -1);
    if (code != 0)
        launch_destroy(l);
    return code;
}

/* Whether several dispatches may follow each other between two timestamps. */
static bool allows_trials(const launch *l)
{
    const kt_measure_options options = {
        .size = sizeof options, .trials = 2, .samples_max = 1, .timing = KT_TIMING_WALL};
    kt_result *result = NULL;
    kt_status status = kt_measure(launch_job(l), &options, &result);
    kt_result_destroy(&result);
    return status != KT_LIMIT;
}

/* Opens those that passed in a pool of its own, as a later process does, and measures them in turns
 * on the memories that they share. */
static void measure(const run_plan *plan, outcome *checked)
{
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = 3,
                                        .samples_max = 3,
                                        .max_time_ns = 1000000,
                                        .timing = KT_TIMING_WALL};
    kt_measure_item items[KEPT_MAX] = {{.job = NULL}};
    launch *launches[KEPT_MAX] = {NULL};
    launch_pool *pool;
    uint32_t count = 0;
    assert_int_equal(launch_pool_create(plan, device, folder, &pool), KT_OK);
    for (size_t i = plan->has_reference; i < checked->count; i++) {
        launch_result again;
        if (checked->results[i].outcome != OUTCOME_OK)
            continue;
        assert_int_equal(check_one(pool, &plan->configurations[i - plan->has_reference], false,
                                   &launches[count], &again),
                         0);
        items[count] = (kt_measure_item){.job = launch_job(launches[count]), .options = &options};
        count++;
    }
    kt_measure_all(items, count);
    for (uint32_t i = 0; i < count; i++) {
        if (items[i].status != wanted_status)
            print_message("%s\n", items[i].error);
        assert_int_equal(items[i].status, wanted_status);
        const kt_series *wall = kt_result_find(items[i].result, "wall");
        assert_true(items[i].status != KT_OK || (wall && wall->summary.n == 3));
        checked->is_verified = wall && wall->verified;
        kt_result_destroy(&items[i].result);
        launch_destroy(&launches[i]);
    }
    launch_pool_destroy(&pool);
}

/* Checks all configurations of "kerntime run WORDS", and measures those that pass. */
static outcome run(const char *words)
{
    char text[4096], command[] = "run", *argv[WORDS_MAX + 1] = {command};
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
    optind = 0; /* begins anew, GNU's way */
    assert_int_equal(options_parse(command_find("run"), argc, argv, &options), -1);
    assert_int_equal(run_plan_make(&options, &selection, plan), EXIT_DONE);
    forget_expected(plan);
    assert_int_equal(launch_pool_create(plan, device, folder, &pool), KT_OK);
    for (size_t i = 0; i < plan->configuration_count + plan->has_reference; i++) {
        bool is_reference = plan->has_reference && i == 0;
        const configuration *c =
            is_reference ? plan->references : &plan->configurations[i - plan->has_reference];
        launch *l = NULL;
        if (check_one(pool, c, i == 0, &l, &out.results[out.count]) == 0) {
            add_lines(l, out.lines, sizeof out.lines);
            out.trials_max = allows_trials(l) ? 0 : 1;
            if (out.count == 0 && launch_varies(l))
                snprintf(out.variation, sizeof out.variation, "%s", launch_varies(l));
        }
        out.count++;
        launch_destroy(&l);
    }
    launch_pool_destroy(&pool);
    measure(plan, &out);
    run_plan_free(plan);
    free(plan);
    for (size_t i = 0; i < out.count; i++) {
        free(out.results[i].log);
        out.results[i].log = NULL;
    }
    return out;
}

/* The same of a file with this content and these words behind its name. */
static outcome run_file(const char *name, const char *text, const char *words)
{
    char line[4096];
    snprintf(line, sizeof line, "%s\t%s", write_kernel(name, text), words);
    return run(line);
}

static outcome run_text(const char *text, const char *words)
{
    return run_file("kernel.cl", text, words);
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
    assert_null(strstr(o.lines, "the same for all values of -D"));
}

static void guessed_sizes_do_not_follow_defines(void **state)
{
    static const char text[] = "__kernel void k(__global float *y) { y[get_global_id(0)] = W; }\n";
    outcome o = run_text(text, "-n\t1000\t-D\tW=1,1.0");
    assert_non_null(strstr(o.lines, "the same for all values of -D"));
}

static void a_write_behind_the_end_is_found(void **state)
{
    outcome o = run_text("__kernel void k(__global float *y)\n"
                         "{\n"
                         "    y[get_global_id(0) + 16] = 1;\n"
                         "}\n",
                         "-n\t1024");
    expect(&o, 0, OUTCOME_OUTSIDE,
           "it writes 64 bytes behind y: are 1,024 elements (guess) enough? -a y='zeros x n*n'");
    o = run_text("__kernel void k(__global float *y)\n"
                 "{\n"
                 "    y[get_global_id(0) + get_global_size(0)] = 1;\n"
                 "}\n",
                 "-n\t1Ki\t-a\ty=zeros x n");
    expect(&o, 0, OUTCOME_OUTSIDE, "it writes at least 4096 bytes behind y");
}

static void a_write_before_the_beginning_is_found(void **state)
{
    outcome o = run_text("__kernel void k(__global float *y)\n"
                         "{\n"
                         "    y[(int)get_global_id(0) - 16] = 1;\n"
                         "}\n",
                         "-n\t1024");
    expect(&o, 0, OUTCOME_OUTSIDE, "it writes 64 bytes before y");
    o = run_text("__kernel void k(__global float *y)\n"
                 "{\n"
                 "    y[(int)get_global_id(0) - (int)get_global_size(0)] = 1;\n"
                 "}\n",
                 "-n\t1024");
    expect(&o, 0, OUTCOME_OUTSIDE, "it writes at least 4096 bytes before y");
}

static void a_rounded_up_work_is_named_where_it_writes_outside(void **state)
{
    outcome o = run_text("__kernel void k(__global int *y, int n)\n"
                         "{\n"
                         "    y[get_global_id(0)] = 7 + n;\n"
                         "}\n",
                         "-n\t1009\t--local\t64");
    expect(&o, 0, OUTCOME_OUTSIDE, "60 bytes behind y: 1,024 work-items run for n = 1009");
}

static void a_kernel_that_writes_nothing_is_asked_for_its_sizes(void **state)
{
    outcome o = run_text("__kernel void k(__global float *y, uint items)\n"
                         "{\n"
                         "    if (get_local_id(0) < items / 2)\n"
                         "        y[get_global_id(0)] = 2;\n"
                         "}\n",
                         "-n\t1024");
    expect(&o, 0, OUTCOME_NOTHING, "it wrote nothing: are its sizes right? items = 1 (guess)");
    o = run_text("__kernel void k(void) {}\n", "-n\t64");
    expect(&o, 0, OUTCOME_OK, "");
}

static void a_kernel_that_counts_or_copies_writes_something(void **state)
{
    outcome o = run_text("__kernel void k(__global int *y)\n"
                         "{\n"
                         "    y[get_global_id(0)] = get_global_id(0);\n"
                         "}\n",
                         "-n\t1024");
    expect(&o, 0, OUTCOME_OK, "");
    o = run_text("__kernel void k(__global const int *x, __global int *y)\n"
                 "{\n"
                 "    y[get_global_id(0)] = x[get_global_id(0)];\n"
                 "}\n",
                 "-n\t1024");
    expect(&o, 0, OUTCOME_OK, "");
}

/* The first configuration tells what is right, a later one differs. */
#define FAULTY(fault)                      \
    "__kernel void k(__global float *y)\n" \
    "{\n"                                  \
    "    size_t i = get_global_id(0);\n"   \
    "    y[i] = 3.25f * i;\n"              \
    "    if (i == FAULT)\n"                \
    "        y[i] = " fault ";\n"          \
    "}\n"

static void one_wrong_element_is_named(void **state)
{
    outcome o = run_text(FAULTY("-3.0f"), "-n\t4Ki\t-D\tFAULT=1000000,17");
    expect(&o, 0, OUTCOME_OK, "");
    expect(&o, 1, OUTCOME_WRONG, "y[17] is -3, expected 55.25 (1 of 4,096 differ)");
}

static void nan_is_named_first(void **state)
{
    outcome o = run_text(FAULTY("nan(0u)"), "-n\t4Ki\t-D\tFAULT=1000000,18");
    expect(&o, 1, OUTCOME_NAN, "y[18] is NaN, expected 58.5 (1 of 4,096 differ)");
}

static void a_tolerance_lets_pass(void **state)
{
    outcome o = run_text(FAULTY("55.5f"), "-n\t4Ki\t-D\tFAULT=1000000,17\t--tolerance\t0.3");
    expect(&o, 1, OUTCOME_OK, "");
    o = run_text(FAULTY("55.5f"), "-n\t4Ki\t-D\tFAULT=1000000,17");
    expect(&o, 1, OUTCOME_WRONG, "y[17] is 55.5, expected 55.25");
}

static void another_kernel_is_the_reference(void **state)
{
    char words[2048];
    write_kernel("right.cl", "__kernel void right(__global int *to, __global const int *from)\n"
                             "{\n"
                             "    to[get_global_id(0)] = from[get_global_id(0)] + 1;\n"
                             "}\n");
    snprintf(words, sizeof words, "-n\t512\t--check\t%s/right.cl", folder);
    outcome o = run_text("__kernel void k(__global int *to, __global const int *from)\n"
                         "{\n"
                         "    int i = get_global_id(0);\n"
                         "    to[i] = from[i] + (i == 511 ? 2 : 1);\n"
                         "}\n",
                         words);
    expect(&o, 0, OUTCOME_OK, "");
    expect(&o, 1, OUTCOME_WRONG, "to[511] is 513, expected 512 (1 of 512 differ)");
    /* Other names, and a buffer more: the order of what is written counts. */
    o = run_text("__kernel void k(__global const int *unused, __global int *written,\n"
                 "                __global const int *given)\n"
                 "{\n"
                 "    written[get_global_id(0)] = given[get_global_id(0)] + 1;\n"
                 "}\n",
                 words);
    expect(&o, 1, OUTCOME_OK, "");
    o = run_text("__kernel void k(__global const int *unused, __global int *written,\n"
                 "                __global const int *given)\n"
                 "{\n"
                 "    written[get_global_id(0)] = given[get_global_id(0)] + 3;\n"
                 "}\n",
                 words);
    expect(&o, 1, OUTCOME_WRONG, "written[0] is 3, expected 1 (512 of 512 differ)");
}

static void a_file_tells_what_is_expected(void **state)
{
    const uint32_t right[4] = {1, 2, 3, 4};
    char words[2048], path[1024];
    snprintf(path, sizeof path, "%s/right.bin", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(right, sizeof right, 1, file), 1);
    assert_int_equal(fclose(file), 0);
    static const char text[] = "__kernel void k(__global uint *y)\n"
                               "{\n"
                               "    y[get_global_id(0)] += STEP;\n"
                               "}\n";
    snprintf(words, sizeof words, "-n\t4\t-a\ty=iota\t-D\tSTEP=1,2\t--expect\ty=@%s", path);
    outcome o = run_text(text, words);
    expect(&o, 0, OUTCOME_OK, "");
    expect(&o, 1, OUTCOME_WRONG, "y[0] is 2, expected 1 (4 of 4 differ)");
    snprintf(words, sizeof words, "-n\t8\t-D\tSTEP=1\t--expect\ty=@%s", path);
    o = run_text(text, words);
    expect(&o, 0, OUTCOME_ARGUMENTS, "it has 4 elements, and y has 8");
}

/* Fewer elements than the kernel may read, and a value of another size. */
static void a_file_of_another_size_is_named(void **state)
{
    char words[2200], path[1024];
    snprintf(path, sizeof path, "%s", write_kernel("four.bin", "4 floats: 16 b.."));
    static const char text[] = "__kernel void k(__global const float *x, float4 v, float a,\n"
                               "                __global float *y)\n"
                               "{\n"
                               "    y[get_global_id(0)] = x[get_global_id(0) % 4] + v.x + a;\n"
                               "}\n";
    snprintf(words, sizeof words, "-n\t1024\t-a\tx=@%s\t-a\tv=@%s", path, path);
    outcome o = run_text(text, words);
    expect(&o, 0, OUTCOME_OK, "");
    assert_non_null(
        strstr(o.lines, "x: the file has 4 elements, fewer than the 1,024 of a guess\n"));
    snprintf(words, sizeof words, "-n\t1024\t-a\tx=@%s x 4\t-a\ta=@%s x 1", path, path);
    o = run_text(text, words);
    expect(&o, 0, OUTCOME_OK, "");
    assert_null(strstr(o.lines, "x: "));
    snprintf(words, sizeof words, "-n\t1024\t-a\ta=@%s", path);
    o = run_text(text, words);
    expect(&o, 0, OUTCOME_ARGUMENTS, "four.bin holds 4 values of 4 bytes, it takes 1");
}

static void in_place_kernels_run_once_a_submission(void **state)
{
    outcome o = run_text(SAXPY, "-n\t1024");
    assert_int_equal(o.trials_max, 1);
    o = run_text(SAXPY, "-n\t1024\t--no-reset");
    expect(&o, 0, OUTCOME_OK, "");
    assert_false(o.is_verified);
    o = run_text("__kernel void k(__global const float *x, __global float *y)\n"
                 "{\n"
                 "    y[get_global_id(0)] = 2 * x[get_global_id(0)];\n"
                 "}\n",
                 "-n\t1024");
    expect(&o, 0, OUTCOME_OK, "");
    assert_int_equal(o.trials_max, 0);
}

static void groups_that_are_planes_get_n_times_n_elements(void **state)
{
    outcome o =
        run_text("__kernel __attribute__((reqd_work_group_size(8, 4, 1)))\n"
                 "void k(__global const float *x, __global float *y, int width, int height)\n"
                 "{\n"
                 "    int i = get_global_id(0), j = get_global_id(1);\n"
                 "    if (i < width && j < height)\n"
                 "        y[i * height + j] = x[j * width + i];\n"
                 "}\n",
                 "-n\t100");
    expect(&o, 0, OUTCOME_OK, "");
    assert_non_null(strstr(o.lines, "104 x 100 work-items (guess) in groups of 8 x 4"));
    assert_non_null(strstr(o.lines, "y: float*, 10,000 elements"));
}

/* The text tells how far its indices go, and in how many dimensions. */
static void indices_that_are_multiplied_get_n_times_n_elements(void **state)
{
    static const char rows[] =
        "__kernel void k(__global const float *A, __global float *sums, const int limit)\n"
        "{\n"
        "    int i = get_global_id(0);\n"
        "    if (i < limit)\n"
        "        for (int j = 0; j < limit; j++)\n"
        "            sums[i] += A[i * limit + j];\n"
        "}\n";
    outcome o = run_text(rows, "-n\t100");
    expect(&o, 0, OUTCOME_OK, "");
    assert_non_null(strstr(o.lines, "A: float*, 10,000 elements"));
    assert_non_null(strstr(o.lines, "sums: float*, 100 elements"));
    assert_non_null(strstr(o.lines, "limit: int = 100 (guess)"));
    o = run_text("__kernel void k(__global float *y)\n"
                 "{\n"
                 "    y[get_global_id(1) * get_global_size(0) + get_global_id(0)] = 3;\n"
                 "}\n",
                 "-n\t96");
    expect(&o, 0, OUTCOME_OK, "");
    assert_non_null(strstr(o.lines, "96 x 96 work-items (guess)"));
    assert_non_null(strstr(o.lines, "y: float*, 9,216 elements"));
}

/* Nobody can say which of its outputs is right. */
static void outputs_that_differ_from_run_to_run_are_not_verified(void **state)
{
    static const char clock_text[] = "__kernel void k(__global ulong *y)\n"
                                     "{\n"
                                     "    y[get_global_id(0)] = __builtin_readcyclecounter();\n"
                                     "}\n";
    outcome o = run_text(clock_text, "-n\t64\t--local\t16\t--local\t32");
    expect(&o, 0, OUTCOME_OK, "");
    expect(&o, 1, OUTCOME_OK, "");
    assert_non_null(strstr(o.variation, "differs from run to run, so it is not verified: y[0] is"));
    assert_false(o.is_verified);
    o = run_text(SAXPY, "-n\t64");
    assert_string_equal(o.variation, "");
    assert_true(o.is_verified);
    char words[1200];
    snprintf(words, sizeof words, "-n\t64\t--check\t%s", write_kernel("clock.cl", clock_text));
    o = run_text(clock_text, words);
    expect(&o, 1, OUTCOME_WRONG, "y[0] is");
}

/* Two variants that read and write one memory do not see what the other wrote. */
static void configurations_share_memories(void **state)
{
    outcome o = run_text("__kernel void k(__global float *y)\n"
                         "{\n"
                         "    y[get_global_id(0)] = sqrt(y[get_global_id(0)]) + TERM;\n"
                         "}\n",
                         "-n\t1Ki\t-D\tTERM=1,1.0f\t--local\t16\t--local\t64");
    assert_int_equal(o.count, 4);
    for (size_t i = 0; i < o.count; i++)
        expect(&o, i, OUTCOME_OK, "");
}

/* A text that needs more elements is no wrong kernel. */
static void a_guessed_size_makes_nothing_wrong(void **state)
{
    static const char text[] = "__kernel void k(__global float *y, uint n)\n"
                               "{\n"
                               "    uint i = get_global_id(0);\n"
                               "#if FAR == 1\n"
                               "    y[i + 4 * n] = 0;\n"
                               "#endif\n"
                               "    y[i] = FAR == 2 ? 3 : 2;\n"
                               "}\n";
    outcome o = run_text(text, "-n\t64\t-D\tFAR=0,1,2");
    expect(&o, 0, OUTCOME_OK, "");
    expect(&o, 1, OUTCOME_OK, "");
    expect(&o, 2, OUTCOME_WRONG, "y[0] is 3, expected 2");
    o = run_text(text, "-n\t64\t-D\tFAR=1,0");
    expect(&o, 1, OUTCOME_ARGUMENTS,
           "y has 256 bytes (guess), and 1,280 are expected: -a y='zeros x 320'");
}

static void what_the_first_one_only_reads_stays(void **state)
{
    static const char text[] = "__kernel void k(__global float *x, __global float *y)\n"
                               "{\n"
                               "    y[get_global_id(0)] = 2 * x[get_global_id(0)];\n"
                               "#if W\n"
                               "    x[get_global_id(0)] = -99;\n"
                               "#endif\n"
                               "}\n";
    outcome o = run_text(text, "-n\t64\t-D\tW=0,1");
    expect(&o, 0, OUTCOME_OK, "");
    expect(&o, 1, OUTCOME_WRONG, "it changes x, which the first one only reads");
}

/* What it writes are indices that would lead the next dispatch far away. */
static void integers_are_no_input_of_a_second_dispatch(void **state)
{
    outcome o = run_text("__kernel void k(__global int *p, __global float *y)\n"
                         "{\n"
                         "    y[p[get_global_id(0)]] = 1;\n"
                         "    p[get_global_id(0)] = 2000000000;\n"
                         "}\n",
                         "-n\t64\t-a\tp=iota x n\t-a\ty=zeros x n");
    expect(&o, 0, OUTCOME_OK, "");
    assert_int_equal(o.trials_max, 1);
}

/* Its second dispatch is within the tolerance, its third is not. */
static void outputs_are_compared_while_measuring(void **state)
{
    wanted_status = KT_WRONG_RESULT;
    outcome o = run_text("__kernel void k(__global int *y)\n"
                         "{\n"
                         "    y[get_global_id(0)] += 1;\n"
                         "}\n",
                         "-n\t64\t--no-reset\t--tolerance\t1");
    wanted_status = KT_OK;
    expect(&o, 0, OUTCOME_OK, "");
}

static void arguments_are_what_the_words_say(void **state)
{
    static const char text[] =
        "__kernel void k(__global const int *x, __global int *y, __local int *room, int factor)\n"
        "{\n"
        "    int i = get_global_id(0);\n"
        "    room[get_local_id(0)] = x[i] * factor;\n"
        "    y[i] += room[get_local_id(0)];\n"
        "}\n";
    outcome o = run_text(text, "-n\t64\t-a\tx=fill:3\t-a\ty=zeros\t-a\t3=n/2\t--local\t8");
    expect(&o, 0, OUTCOME_OK, "");
    assert_non_null(strstr(o.lines, "room: 32 bytes of local memory, one element a work-item"));
    assert_null(strstr(o.lines, "factor"));
    o = run_text(text, "-n\t64\t-a\troom=zeros");
    expect(&o, 0, OUTCOME_ARGUMENTS, "give -a room=local:BYTES");
    o = run_text(text, "-n\t64\t-a\tx=same:y");
    expect(&o, 0, OUTCOME_OK, "");
    o = run_text(text, "-n\t64\t-a\tx=same:z");
    expect(&o, 0, OUTCOME_ARGUMENTS, "there is no buffer z");
    o = run_text("__kernel void k(__global int *x, __global int *y)\n"
                 "{\n"
                 "    y[get_global_id(0)] = x == 0;\n"
                 "}\n",
                 "-n\t64\t-a\tx=null\t-a\ty=fill:5");
    expect(&o, 0, OUTCOME_OK, "");
    o = run_text("typedef struct { int low; float scale[3]; } range;\n"
                 "__kernel void k(range r, __global float *y)\n"
                 "{\n"
                 "    y[get_global_id(0)] = r.low + r.scale[2];\n"
                 "}\n",
                 "-n\t64");
    expect(&o, 0, OUTCOME_OK, "");
    assert_non_null(strstr(o.lines, "r: range = zeros (guess)"));
    o = run_text("__kernel void k(__constant float *weights, __global float *y)\n"
                 "{\n"
                 "    y[get_global_id(0)] = 2 + weights[get_global_id(0) % 9];\n"
                 "}\n",
                 "-n\t64Ki");
    expect(&o, 0, OUTCOME_OK, "");
    assert_non_null(strstr(o.lines, "weights: float*, 16,384 elements"));
    o = run_text("__kernel void k(read_only image2d_t picture, __global int *y) {}\n", "-n\t64");
    expect(&o, 0, OUTCOME_ARGUMENTS, "kerntime run takes buffers, values and local memory");
}

static void what_exceeds_the_device_is_refused(void **state)
{
    static const char text[] = "__kernel void k(__global int *y, __local int *room)\n"
                               "{\n"
                               "    y[get_global_id(0)] = -1;\n"
                               "}\n";
    outcome o = run_text(text, "-n\t1024\t-a\ty=zeros x 1024*1024*1024*1024");
    expect(&o, 0, OUTCOME_LIMIT, "y needs 4096.0 GiB, and ");
    o = run_text(text, "-n\t1Mi\t--local\t1Mi");
    expect(&o, 0, OUTCOME_LIMIT, "a group of 1048576 has 1048576 work-items, and opencl:0");
    o = run_text(text, "-n\t1024\t-a\troom=local:1024*1024*1024");
    expect(&o, 0, OUTCOME_LIMIT, "kernel k gets 1073741824 bytes of local memory");
}

static void a_missing_define_is_named(void **state)
{
    static const char text[] = "__kernel void k(__global int *y)\n"
                               "{\n"
                               "    y[get_global_id(0)] = TILE;\n"
                               "}\n";
    outcome o = run_text(text, "-n\t1024");
    expect(&o, 0, OUTCOME_BUILD, "kernel.cl does not compile: TILE is not defined");
    o = run_text(text, "-n\t1024\t-D\tTILE=(1 << 3)");
    expect(&o, 0, OUTCOME_OK, "");
}

/* ---- shaders ---- */

#define GLSL_HEAD "#version 450\n"
#define GLSL_Y    "layout(set = 1, binding = 3) buffer Y { float y[]; };\n"

static void shaders_get_members_at_their_offsets(void **state)
{
    outcome o = run_file(
        "members.comp",
        GLSL_HEAD GLSL_Y "layout(local_size_x = 64) in;\n"
                         "layout(set = 0, binding = 0) readonly buffer X { vec4 x[]; };\n"
                         "layout(set = 0, binding = 2) uniform Block { float f; vec3 v; int k; };\n"
                         "layout(push_constant) uniform Push { layout(offset = 16) uint n; };\n"
                         "void main()\n"
                         "{\n"
                         "    uint i = gl_GlobalInvocationID.x;\n"
                         "    if (i < n)\n"
                         "        y[i] = x[i].w * 0 + f + 10 * v.z + 100 * k;\n"
                         "}\n",
        "-n\t1000\t-a\tf=5\t-a\tv=(1,2,3)\t-a\tk=7\t-a\ty=zeros\t--expect\ty=fill:735");
    expect(&o, 0, OUTCOME_OK, "");
}

#define IN_FRONT(COUNT)                                        \
    GLSL_HEAD "layout(local_size_x = 64) in;\n"                \
              "layout(set = 0, binding = 0) buffer B\n"        \
              "{\n"                                            \
              "    uint count;\n"                              \
              "    float data[];\n"                            \
              "};\n"                                           \
              "layout(push_constant) uniform P { uint n; };\n" \
              "void main()\n"                                  \
              "{\n"                                            \
              "    if (gl_GlobalInvocationID.x == 0)\n"        \
              "        count " COUNT ";\n"                     \
              "    if (gl_GlobalInvocationID.x < n)\n"         \
              "        data[gl_GlobalInvocationID.x] = 1.0;\n" \
              "}\n"

/* As floats, the counts would differ by less than rounding. */
static void members_in_front_are_zeros_and_compared(void **state)
{
    outcome o = run_file("front.comp", IN_FRONT("= 3 + W"), "-n\t1000\t-D\tW=0,1");
    expect(&o, 0, OUTCOME_OK, "");
    expect(&o, 1, OUTCOME_WRONG, "is 0x04, expected 0x03 (1 of 4 bytes differ)");
    char words[1200];
    write_kernel("three.comp", IN_FRONT("= 3"));
    snprintf(words, sizeof words, "-n\t1000\t--check\t%s/three.comp", folder);
    o = run_file("front.comp", IN_FRONT("+= 3"), words);
    expect(&o, 1, OUTCOME_OK, "");
    write_kernel("alone.comp",
                 GLSL_HEAD GLSL_Y "layout(local_size_x = 64) in;\n"
                                  "void main() { y[gl_GlobalInvocationID.x] = 1; }\n");
    snprintf(words, sizeof words, "-n\t1024\t--check\t%s/alone.comp", folder);
    o = run_file("front.comp", IN_FRONT("= 3"), words);
    expect(&o, 1, OUTCOME_OK, "");
}

static void constants_and_group_sizes_are_set(void **state)
{
    static const char text[] = GLSL_HEAD GLSL_Y
        "layout(local_size_x_id = 4) in;\n"
        "layout(constant_id = 1) const int STEP = 3;\n"
        "void main()\n"
        "{\n"
        "    y[gl_GlobalInvocationID.x] = STEP * 1000 + gl_WorkGroupSize.x + PLUS;\n"
        "}\n";
    outcome o = run_file("constants.comp", text,
                         "-n\t1024\t-D\tSTEP=5\t-D\tPLUS=(2)\t--local\t32\t--expect\ty=fill:5034");
    expect(&o, 0, OUTCOME_OK, "");
    o = run_file("constants.comp", text, "-n\t1024\t-D\t4=16\t-D\tPLUS=0\t--expect\ty=fill:3016");
    expect(&o, 0, OUTCOME_OK, "");
    o = run_file("constants.comp", text, "-n\t1024\t-D\t4=16\t-D\tPLUS=0\t--local\t32");
    expect(&o, 0, OUTCOME_ARGUMENTS, "its group size is fixed at 16: leave out --local 32");
    o = run_file("constants.comp", text, "-n\t1024");
    expect(&o, 0, OUTCOME_BUILD, "PLUS");
}

static void zones_are_not_elements_of_a_shader(void **state)
{
    outcome o = run_file("length.comp",
                         GLSL_HEAD GLSL_Y "layout(local_size_x = 64) in;\n"
                                          "void main()\n"
                                          "{\n"
                                          "    if (gl_GlobalInvocationID.x < y.length())\n"
                                          "        y[gl_GlobalInvocationID.x] = y.length();\n"
                                          "}\n",
                         "-n\t1009\t--expect\ty=fill:1009");
    expect(&o, 0, OUTCOME_OK, "");
    o = run_file("behind.comp",
                 GLSL_HEAD GLSL_Y "layout(local_size_x = 64) in;\n"
                                  "void main() { y[gl_GlobalInvocationID.x + 1] = 3; }\n",
                 "-n\t1024");
    expect(&o, 0, OUTCOME_OUTSIDE, "it writes 4 bytes behind y");
}

/* ---- WGSL ---- */

#define WGSL_Y "@group(0) @binding(0) var<storage, read_write> y: array<f32>;\n"

static void overrides_and_uniforms_of_wgsl_are_set(void **state)
{
    static const char text[] = "override width: u32 = 64;\n"
                               "override step: f32;\n"
                               "struct Arguments { a: f32, v: vec3<f32>, n: u32 }\n"
                               "@group(1) @binding(2) var<storage, read_write> y: array<f32>;\n"
                               "@group(0) @binding(5) var<uniform> given: Arguments;\n"
                               "@compute @workgroup_size(width)\n"
                               "fn k(@builtin(global_invocation_id) id: vec3<u32>) {\n"
                               "    if (id.x < given.n) { y[id.x] = step * 1000 + given.v.z * 10 + "
                               "given.a + f32(width); }\n"
                               "}\n";
    outcome o = run_file(
        "k.wgsl", text,
        "-n\t1000\t-D\tstep=2\t-a\tv=(1,2,3)\t-a\ta=5\t--local\t32\t--expect\ty=fill:2067");
    expect(&o, 0, OUTCOME_OK, "");
    o = run_file(
        "k.wgsl", text,
        "-n\t1000\t-D\tstep=2\t-D\twidth=16\t-a\tv=(1,2,3)\t-a\ta=5\t--expect\ty=fill:2051");
    expect(&o, 0, OUTCOME_OK, "");
}

static void zones_are_not_elements_in_wgsl(void **state)
{
    outcome o = run_file("length.wgsl",
                         WGSL_Y "@compute @workgroup_size(64)\n"
                                "fn k(@builtin(global_invocation_id) id: vec3<u32>) {\n"
                                "    let length = arrayLength(&y);\n"
                                "    if (id.x < length) { y[id.x] = f32(length); }\n"
                                "}\n",
                         "-n\t1009\t--expect\ty=fill:1009");
    expect(&o, 0, OUTCOME_OK, "");
    o = run_file("behind.wgsl",
                 WGSL_Y "@compute @workgroup_size(64)\n"
                        "fn k(@builtin(global_invocation_id) id: vec3<u32>) { y[id.x + 3] = 3; }\n",
                 "-n\t1024");
    expect(&o, 0, OUTCOME_OUTSIDE, "it writes 12 bytes behind y");
}

/* ---- all ---- */

static const struct CMUnitTest opencl_tests[] = {
    cmocka_unit_test(a_right_kernel_passes_and_is_measured),
    cmocka_unit_test(guessed_sizes_do_not_follow_defines),
    cmocka_unit_test(a_write_behind_the_end_is_found),
    cmocka_unit_test(a_write_before_the_beginning_is_found),
    cmocka_unit_test(a_rounded_up_work_is_named_where_it_writes_outside),
    cmocka_unit_test(a_kernel_that_writes_nothing_is_asked_for_its_sizes),
    cmocka_unit_test(a_kernel_that_counts_or_copies_writes_something),
    cmocka_unit_test(one_wrong_element_is_named),
    cmocka_unit_test(nan_is_named_first),
    cmocka_unit_test(a_tolerance_lets_pass),
    cmocka_unit_test(another_kernel_is_the_reference),
    cmocka_unit_test(a_file_tells_what_is_expected),
    cmocka_unit_test(a_file_of_another_size_is_named),
    cmocka_unit_test(in_place_kernels_run_once_a_submission),
    cmocka_unit_test(groups_that_are_planes_get_n_times_n_elements),
    cmocka_unit_test(indices_that_are_multiplied_get_n_times_n_elements),
    cmocka_unit_test(outputs_that_differ_from_run_to_run_are_not_verified),
    cmocka_unit_test(configurations_share_memories),
    cmocka_unit_test(a_guessed_size_makes_nothing_wrong),
    cmocka_unit_test(what_the_first_one_only_reads_stays),
    cmocka_unit_test(integers_are_no_input_of_a_second_dispatch),
    cmocka_unit_test(outputs_are_compared_while_measuring),
    cmocka_unit_test(arguments_are_what_the_words_say),
    cmocka_unit_test(what_exceeds_the_device_is_refused),
    cmocka_unit_test(a_missing_define_is_named),
};

static const struct CMUnitTest shader_tests[] = {
    cmocka_unit_test(shaders_get_members_at_their_offsets),
    cmocka_unit_test(members_in_front_are_zeros_and_compared),
    cmocka_unit_test(constants_and_group_sizes_are_set),
    cmocka_unit_test(zones_are_not_elements_of_a_shader),
};

static const struct CMUnitTest wgsl_tests[] = {
    cmocka_unit_test(overrides_and_uniforms_of_wgsl_are_set),
    cmocka_unit_test(zones_are_not_elements_in_wgsl),
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
    uint32_t languages = kt_device_get_info(device)->languages;
    int failed = languages & KT_LANGUAGE_OPENCL_C
                     ? cmocka_run_group_tests_name("OpenCL C", opencl_tests, NULL, NULL)
                 : languages & KT_LANGUAGE_SPIRV_SHADER
                     ? cmocka_run_group_tests_name("GLSL", shader_tests, NULL, NULL)
                     : cmocka_run_group_tests_name("WGSL", wgsl_tests, NULL, NULL);
    kt_device_close(&device);
    kt_context_destroy(&context);
    return failed;
}
