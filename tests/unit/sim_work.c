/* Simulated devices do the work for its results: never twice for the same contents, always for others. */
#include "rig.h"

enum { ITEMS = 64, GROUP = 16 };

static unsigned calls; /* of the kernel; a simulated device runs on its caller's thread */

static void plus_one(const kt_c_group *group, void *const *args)
{
    int32_t *numbers = args[0];
    calls++;
    for (uint32_t i = 0; i < GROUP; i++)
        numbers[group->group[0] * GROUP + i]++;
}

/* Adds one to each number, in place, in one step or in two. */
typedef struct work {
    rig r;
    int32_t first;     /* number that the input begins with */
    int32_t change;    /* of `first` from submission to submission */
    int32_t additions; /* that are due in one submission */
} work;

static kt_status reset(void *user, char *why, size_t why_bytes)
{
    (void)why, (void)why_bytes;
    work *w = user;
    int32_t numbers[ITEMS];
    w->first += w->change;
    for (int32_t i = 0; i < ITEMS; i++)
        numbers[i] = w->first + i;
    return kt_memory_write(w->r.input, 0, numbers, sizeof numbers);
}

static kt_status verify(void *user, char *why, size_t why_bytes)
{
    (void)why, (void)why_bytes;
    work *w = user;
    int32_t numbers[ITEMS];
    kt_status status = kt_memory_read(w->r.input, 0, numbers, sizeof numbers);
    for (int32_t i = 0; i < ITEMS && status == KT_OK; i++)
        if (numbers[i] != w->first + i + w->additions)
            return KT_WRONG_RESULT;
    return status;
}

static void set_up(work *w, uint32_t step_count)
{
    *w = (work){0};
    rig *r = &w->r;
    rig_open(r, "sim:0");
    EXPECT_OK(kt_memory_create(r->device, KT_MEMORY_DEFAULT, ITEMS * sizeof(int32_t), &r->input));
    const kt_program_desc program = {.size = sizeof program,
                                     .language = KT_LANGUAGE_C_FUNCTION,
                                     .entry = "plus_one",
                                     .function = plus_one};
    EXPECT_OK(kt_program_create(r->device, &program, &r->program));
    const kt_arg arg = {.memory = r->input};
    kt_step steps[2] = {{.name = "first"}, {.name = "second"}};
    for (int i = 0; i < 2; i++) {
        steps[i].program = r->program;
        steps[i].args = &arg;
        steps[i].arg_count = 1;
        steps[i].groups[0] = ITEMS / GROUP;
        steps[i].group_size[0] = GROUP;
    }
    const kt_job_desc desc = {.size = sizeof desc,
                              .name = "plus one",
                              .steps = steps,
                              .step_count = step_count,
                              .trials_max = step_count == 1 ? 1 : 0,
                              .reset = reset,
                              .verify = verify,
                              .user = w};
    EXPECT_OK(kt_job_create(r->device, &desc, &r->job));
}

/* Measures, each submission verified, and tells how often all groups were run. */
static unsigned runs(work *w, uint32_t trials, uint32_t *submissions)
{
    calls = 0;
    kt_result *result = rig_measure(&w->r, 5, KT_TIMING_BOTH, trials);
    assert_true(kt_result_series(result, 0)->verified);
    *submissions = rig_submissions(result);
    kt_result_destroy(&result);
    assert_int_equal(calls % (ITEMS / GROUP), 0);
    return calls / (ITEMS / GROUP);
}

static void the_same_contents_are_computed_once(void **state)
{
    (void)state;
    work w;
    uint32_t submissions;
    set_up(&w, 1);
    w.additions = 1;
    assert_int_equal(runs(&w, 1, &submissions), 1);
    assert_int_equal(submissions, 1 + 2 + 10);
    assert_int_equal(runs(&w, 1, &submissions), 0);
    rig_close(&w.r);
}

static void other_contents_are_computed_anew(void **state)
{
    (void)state;
    work w;
    uint32_t submissions;
    set_up(&w, 1);
    w.additions = 1;
    w.change = 1;
    assert_int_equal(runs(&w, 1, &submissions), 1 + 2 + 10);
    rig_close(&w.r);
}

/* What three in a row make of the same contents is not what two make. */
static void other_trials_are_computed_anew(void **state)
{
    (void)state;
    work w;
    uint32_t submissions;
    set_up(&w, 2);
    for (uint32_t trials = 3; trials >= 2; trials--) {
        w.additions = 2 * (int32_t)trials; /* two steps */
        assert_int_equal(runs(&w, trials, &submissions), 2 * trials);
    }
    rig_close(&w.r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_contents_are_computed_once),
        cmocka_unit_test(other_contents_are_computed_anew),
        cmocka_unit_test(other_trials_are_computed_anew),
    };
    return cmocka_run_group_tests_name("sim_work", tests, NULL, NULL);
}
