/* SPDX-License-Identifier: MIT */
/* What tracing cost, over processes of several APIs: no number of one API stands for another. */
#define _GNU_SOURCE /* mkdtemp */
#include "tests/unit/testing.h"

#include "tests/unit/tracers/process_image.h"
#include "tracers/common/collect.h"

#include <stdio.h>
#include <unistd.h>

#define CALLS     103 /* of make_process_image() */
#define PROCESSES 3

static _Alignas(64) unsigned char image[PROCESS_IMAGE_BYTES];
static char folder[256];

typedef struct process {
    trace_api api;
    double call_ns; /* of all timed calls; 0: none was timed */
    uint64_t calls;
} process;

static void path_of(char *path, size_t bytes, int number)
{
    snprintf(path, bytes, "%s/" TRACE_FILE_PREFIX "%d", folder, number);
}

static void put_process(const process *from, int number)
{
    size_t used = make_process_image(image);
    trace_file_head *head = (trace_file_head *)(void *)image;
    head->api = (uint32_t)from->api;
    head->threads[0].counters[TRACE_COUNTER_CALLS] = from->calls;
    head->cost.timed[kt_histogram_bucket(50)] = 0;
    if (from->call_ns > 0)
        head->cost.timed[kt_histogram_bucket(from->call_ns)] = 10;
    char path[300];
    path_of(path, sizeof path, number);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(image, 1, used, file), used);
    fclose(file);
}

static double cost_of(const process processes[PROCESSES])
{
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/kt-cost-XXXXXX", where ? where : "/tmp");
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < PROCESSES; i++)
        put_process(&processes[i], i);
    trace_totals totals;
    char reason[200];
    assert_int_equal(trace_collect(folder, &totals, reason, sizeof reason), 0);
    assert_int_equal(totals.process_count, PROCESSES);
    double cost_ns = totals.cost_ns;
    trace_free(&totals);
    for (int i = 0; i < PROCESSES; i++) {
        char path[300];
        path_of(path, sizeof path, i);
        unlink(path);
    }
    rmdir(folder);
    return cost_ns;
}

/* A bucket is up to an eighth wide. */
static void a_process_without_timed_calls_has_the_median_of_its_api(void **state)
{
    double cost_ns = cost_of((process[PROCESSES]){
        {TRACE_OPENCL, 5000, CALLS}, {TRACE_OPENCL, 0, CALLS}, {TRACE_VULKAN, 50, CALLS}});
    EXPECT_NEAR(cost_ns, CALLS * 10050.0, CALLS * 10050.0 / 8);
}

static void an_api_without_timed_calls_leaves_the_cost_unknown(void **state)
{
    double cost_ns = cost_of((process[PROCESSES]){
        {TRACE_OPENCL, 50, CALLS}, {TRACE_OPENCL, 50, CALLS}, {TRACE_VULKAN, 0, 1}});
    EXPECT_NUMBER(cost_ns, NAN);
}

static void an_api_without_calls_costs_nothing(void **state)
{
    double cost_ns = cost_of((process[PROCESSES]){
        {TRACE_OPENCL, 50, CALLS}, {TRACE_OPENCL, 50, CALLS}, {TRACE_VULKAN, 0, 0}});
    EXPECT_NEAR(cost_ns, 2 * CALLS * 50.0, CALLS * 50.0 / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_without_timed_calls_has_the_median_of_its_api),
        cmocka_unit_test(an_api_without_timed_calls_leaves_the_cost_unknown),
        cmocka_unit_test(an_api_without_calls_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
