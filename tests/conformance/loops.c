/* Loops of many iterations: what a driver cuts short without a word is found by looking at the output. */
#include "suite.h"

#include <inttypes.h>
#include <stdio.h>

enum { ITEMS = 4, ITERATIONS = 100000 };

static const char source[] = "__kernel void churn(__global uint *out, uint iterations) {\n"
                             "    uint i = get_global_id(0), x = i;\n"
                             "    for (uint k = 0; k < iterations; k++)\n"
                             "        x = (x ^ (x >> 15)) * 0x2c1b3c6du + k;\n"
                             "    out[i] = x;\n"
                             "}\n";

/* No closed form is known of what stands there after so many iterations, so no compiler can save them. */
static uint32_t churned(uint32_t x, uint32_t iterations)
{
    for (uint32_t k = 0; k < iterations; k++)
        x = (x ^ (x >> 15)) * UINT32_C(0x2c1b3c6d) + k;
    return x;
}

static void churn(const kt_c_group *group, void *const *args)
{
    uint32_t *out = args[0];
    for (uint32_t item = 0; item < group->group_size[0]; item++) {
        uint32_t i = group->group[0] * group->group_size[0] + item;
        out[i] = churned(i, *(const uint32_t *)args[1]);
    }
}

typedef struct long_loop {
    kt_memory *output;
    uint32_t iterations;
} long_loop;

static kt_status verify(void *user, char *why, size_t why_bytes)
{
    const long_loop *loop = user;
    uint32_t out[ITEMS];
    kt_status status = kt_memory_read(loop->output, 0, out, sizeof out);
    for (uint32_t i = 0; status == KT_OK && i < ITEMS; i++) {
        uint32_t expected = churned(i, loop->iterations);
        if (out[i] == expected)
            continue;
        snprintf(why, why_bytes, "item %" PRIu32 " is %" PRIu32 ", not %" PRIu32, i, out[i],
                 expected);
        return KT_WRONG_RESULT;
    }
    return status;
}

static kt_status measure_loop(kt_program *program, uint32_t iterations)
{
    const uint32_t zeros[ITEMS] = {0};
    long_loop loop = {.iterations = iterations};
    EXPECT_OK(kt_memory_create(s.device, KT_MEMORY_DEFAULT, sizeof zeros, &loop.output));
    EXPECT_OK(kt_memory_write(loop.output, 0, zeros, sizeof zeros));
    const kt_arg args[] = {{.memory = loop.output},
                           {.value = &iterations, .value_bytes = sizeof iterations}};
    const kt_step step = {.program = program, .args = args, .arg_count = 2, .group_size = {ITEMS}};
    const kt_job_desc desc = {.size = sizeof desc,
                              .name = "loop",
                              .steps = &step,
                              .step_count = 1,
                              .verify = verify,
                              .user = &loop};
    const kt_measure_options once = {
        .size = sizeof once, .samples_min = 1, .samples_max = 1, .timing = KT_TIMING_WALL};
    kt_job *job = NULL;
    kt_result *result = NULL;
    EXPECT_OK(kt_job_create(s.device, &desc, &job));
    kt_status status = kt_measure(job, &once, &result);
    if (status == KT_OK)
        assert_true(kt_result_find(result, "wall")->verified);
    kt_result_destroy(&result);
    kt_job_destroy(&job);
    kt_memory_destroy(&loop.output);
    return status;
}

void loops_end_by_themselves(void **state)
{
    (void)state;
    SKIP_IF(s.profile->no_kernels);
    SKIP_IF(s.no_shaders);
    kt_program *program = build("churn", churn, source);
    EXPECT_OK(measure_loop(program, 65534)); /* then once more, to find that it was the last */
    kt_status status = measure_loop(program, ITERATIONS);
    if (s.profile->cuts_loops && strstr(s.info->driver, s.profile->cuts_loops))
        assert_int_equal(status, KT_WRONG_RESULT);
    if (status == KT_WRONG_RESULT) {
        EXPECT_TEXT_HAS(kt_error_text(), "wrong output: item 0 is ");
        EXPECT_TEXT_HAS(s.info->quirk, "65,535");
        EXPECT_TEXT_HAS(kt_error_text(), s.info->quirk);
        print_message("as expected: %s\n", kt_error_text());
    } else {
        EXPECT_OK(status);
        assert_null(strstr(s.info->quirk, "65,535")); /* nobody is accused of what is mended */
    }
    kt_program_destroy(&program);
}
