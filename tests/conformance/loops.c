/* SPDX-License-Identifier: MIT */
/* Loops of many iterations: what a driver cuts short without a word is found by looking at the
 * output. */
#include "suite.h"
#include "workloads/loop/loop.h"

enum { ITERATIONS = 100000 };

static kt_status measure_loop(uint32_t iterations)
{
    kt_job_desc desc = {.size = sizeof desc, .name = "loop"};
    const kt_measure_options once = {
        .size = sizeof once, .samples_min = 1, .samples_max = 1, .timing = KT_TIMING_WALL};
    void *problem = NULL;
    workload_run run = {0};
    kt_result *result = NULL;
    EXPECT_OK(workload_loop.problem_create(iterations, &problem));
    EXPECT_OK(workload_open(&run, &workload_loop, problem, s.device, iterations, &desc));
    kt_status status = kt_measure(run.job, &once, &result);
    if (status == KT_OK)
        assert_true(kt_result_find(result, "wall")->verified);
    kt_result_destroy(&result);
    workload_close(&run);
    workload_loop.problem_destroy(problem);
    return status;
}

void loops_end_by_themselves(void **state)
{
    SKIP_IF(s.no_programs);
    EXPECT_OK(measure_loop(65534)); /* then once more, to find that it was the last */
    kt_status status = measure_loop(ITERATIONS);
    if (status == KT_WRONG_RESULT) {
        EXPECT_TEXT_HAS(kt_error_text(), "wrong output: item 0 is ");
        EXPECT_TEXT_HAS(kt_error_text(), " of 100000 iterations");
        EXPECT_TEXT_HAS(s.info->quirk, "65,535"); /* else kt_quirk_of_llvmpipe() lacks a version */
        EXPECT_TEXT_HAS(kt_error_text(), s.info->quirk);
        print_message("as expected: %s\n", kt_error_text());
    } else {
        EXPECT_OK(status);
        assert_null(strstr(s.info->quirk, "65,535")); /* nobody is accused of what is mended */
    }
}
