/* SPDX-License-Identifier: MIT */
/* Every workload that has a problem, in all its variants: its output is that of the cpu backend,
 * bit by bit. */
#include "suite.h"
#include "tests/opencl_can.h"
#include "workloads/workload.h"

#include <stdlib.h>

#define SIZES_MAX 6

/* Odd sizes, around those of the groups. */
typedef struct odd_sizes {
    const char *workload;
    uint64_t sizes[SIZES_MAX]; /* up to the first 0 */
} odd_sizes;

static const odd_sizes all[] = {
    {"matmul", {1, 3, 16, 17, 100}},
    /* The last one is more than one item for each of 65535 groups. */
    {"saxpy", {1, 256, 257, 1000, 65535 * 256 + 1}},
    {"fill", {1, 256, 257, 1000, 65535 * 256 + 1}},
    /* Around one group's share, or tile; one more than 1024 of them. */
    {"reduce", {1, 255, 257, 4097, 65537, 1024 * 4096 + 1}},
    {"scan", {1, 255, 1000, 2049, 65537, 1024 * 2048 + 1}},
    /* More than one tile; one more key than a tile for each of 1024 blocks, so that the last one is
     * not full. Few, as a compiler of a device takes a second for its kernels. */
    {"sort", {1, 257, 65537, 1024 * 256 + 1}},
};

static bool crashes[sizeof all / sizeof all[0]]; /* the driver, without kerntime, too */

void find_workloads_that_crash(void)
{
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const workload *w = workload_find(all[i].workload);
        const uint32_t of_each = w->kernel_count ? w->kernel_count : 1;
        uint32_t variants = 1;
        while (w->variants && w->variants[variants])
            variants++;
        for (uint32_t k = 0; k < variants * of_each && !crashes[i]; k++)
            crashes[i] = !opencl_can_run(w->kernels[k].source, w->kernels[k].entry);
    }
}

static uint64_t largest(const char *name)
{
    return strcmp(name, "matmul") == 0 ? s.profile->matmul_max : s.profile->elements_max;
}

/* The output on a device; the workload itself compares it with the host's reference. */
static void *run_once(kt_device *device, const workload *w, const void *problem, uint64_t size,
                      const char *variant, size_t *bytes)
{
    const kt_param param = {w->param, (int64_t)size};
    kt_job_desc desc = {.size = sizeof desc,
                        .name = w->name,
                        .variant = variant,
                        .params = &param,
                        .param_count = 1};
    const kt_measure_options once = {.size = sizeof once,
                                     .samples_min = 1,
                                     .samples_max = 1,
                                     .max_time_ns = 1,
                                     .timing = KT_TIMING_WALL};
    workload_run run = {0};
    kt_result *result = NULL;
    EXPECT_OK(workload_open(&run, w, problem, device, size, &desc));
    EXPECT_OK(kt_measure(run.job, &once, &result));
    assert_true(kt_result_find(result, "wall")->verified);
    kt_result_destroy(&result);
    *bytes = run.output_bytes;
    void *output = malloc(*bytes);
    assert_non_null(output);
    EXPECT_OK(kt_memory_read(run.output_memory, 0, output, *bytes));
    workload_close(&run);
    return output;
}

static void check_size(kt_device *cpu, const workload *w, uint64_t size)
{
    static const char *const only[] = {NULL, NULL};
    const char *const *variants = w->variants ? w->variants : only;
    void *problem = NULL;
    size_t bytes, expected_bytes;
    EXPECT_OK(w->problem_create(size, &problem));
    void *expected = run_once(cpu, w, problem, size, variants[0], &expected_bytes);
    size_t i = 0;
    do {
        void *output = run_once(s.device, w, problem, size, variants[i], &bytes);
        assert_int_equal(bytes, expected_bytes);
        if (memcmp(output, expected, bytes) != 0)
            fail_msg("%s %s, size %u", w->name, variants[i] ? variants[i] : "", (unsigned)size);
        free(output);
    } while (variants[++i]);
    free(expected);
    w->problem_destroy(problem);
}

void workloads_equal_the_cpu(void **state)
{
    SKIP_IF(s.no_programs);
    kt_device *cpu = NULL;
    EXPECT_OK(kt_device_open(s.context, "cpu:0", &cpu));
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (crashes[i])
            print_message("skipped: %s: its kernels end the process without kerntime, too\n",
                          all[i].workload);
        for (size_t k = 0; k < SIZES_MAX && all[i].sizes[k] && !crashes[i]; k++) {
            uint64_t size = all[i].sizes[k];
            if (size <= largest(all[i].workload))
                check_size(cpu, workload_find(all[i].workload), size);
            else
                print_message("skipped: %s of size %u would take too long\n", all[i].workload,
                              (unsigned)size);
        }
    }
    kt_device_close(&cpu);
}

/* A workload that nobody listed above would not be tested. */
void all_workloads_are_compared(void **state)
{
    for (const workload *const *w = workloads; *w; w++) {
        bool listed = !(*w)->problem_create;
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
            listed |= strcmp(all[i].workload, (*w)->name) == 0;
        if (!listed)
            fail_msg("%s is not compared with the cpu", (*w)->name);
    }
}
