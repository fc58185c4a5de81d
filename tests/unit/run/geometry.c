/* SPDX-License-Identifier: MIT */
/* Group size and number of groups, where they are given and where they are not. */
#include "cli/run/geometry.h"
#include "tests/unit/testing.h"

static char reason[LAUNCH_REASON_BYTES];

/* A request as for a GPU whose groups are best multiples of 32. */
static geometry_request request(uint64_t n)
{
    return (geometry_request){
        .n = n, .multiple = 32, .device_max = 1024, .knows_n = true, .device = "cuda:0"};
}

static geometry decide(const geometry_request *r)
{
    geometry out;
    launch_outcome outcome = geometry_decide(r, &out, reason);
    if (outcome != OUTCOME_OK)
        print_error("%s\n", reason);
    assert_int_equal(outcome, OUTCOME_OK);
    for (int d = 0; d < 3; d++)
        assert_int_equal(out.global[d], (int64_t)out.groups[d] * out.local[d]);
    return out;
}

#define EXPECT_SIZES(sizes, x, y, z)     \
    do {                                 \
        assert_int_equal((sizes)[0], x); \
        assert_int_equal((sizes)[1], y); \
        assert_int_equal((sizes)[2], z); \
    } while (0)

#define EXPECT_REFUSED(r, outcome, sentence)                               \
    do {                                                                   \
        geometry unused;                                                   \
        assert_int_equal(geometry_decide(&(r), &unused, reason), outcome); \
        assert_string_equal(reason, sentence);                             \
    } while (0)

static void n_alone_gives_a_line(void **state)
{
    geometry_request r = request(1 << 20);
    geometry g = decide(&r);
    EXPECT_SIZES(g.local, 256, 1, 1);
    EXPECT_SIZES(g.global, 1 << 20, 1, 1);
    assert_true(g.is_local_guessed && g.is_global_guessed);
}

static void a_kernel_that_does_not_know_n_gets_no_item_too_many(void **state)
{
    /* 1000 = 2^3 * 5^3 has no multiple of 32 that divides it */
    geometry_request r = request(1000);
    EXPECT_SIZES(decide(&r).global, 1024, 1, 1);
    r.knows_n = false;
    EXPECT_SIZES(decide(&r).global, 1000, 1, 1);
    EXPECT_SIZES(decide(&r).local, 250, 1, 1);
    r.multiple = 8;
    EXPECT_SIZES(decide(&r).local, 200, 1, 1);
    r.n = 1009; /* prime */
    EXPECT_SIZES(decide(&r).local, 1, 1, 1);
    EXPECT_SIZES(decide(&r).global, 1009, 1, 1);
}

static void little_work_is_one_small_group(void **state)
{
    geometry_request r = request(100);
    EXPECT_SIZES(decide(&r).local, 128, 1, 1);
    r.n = 1;
    EXPECT_SIZES(decide(&r).global, 32, 1, 1);
    r.knows_n = false;
    EXPECT_SIZES(decide(&r).global, 1, 1, 1);
}

static void limits_bound_a_guess(void **state)
{
    geometry_request r = request(1 << 20);
    r.kernel_max = 100;
    EXPECT_SIZES(decide(&r).local, 64, 1, 1); /* 96 does not divide it */
    r.kernel_max = 8;
    EXPECT_SIZES(decide(&r).local, 8, 1, 1);
    r = request(1 << 20);
    r.device_max = 0; /* unknown */
    EXPECT_SIZES(decide(&r).local, 256, 1, 1);
}

static void a_given_global_is_divided(void **state)
{
    geometry_request r = request(64);
    r.global[0] = 300;
    EXPECT_SIZES(decide(&r).local, 150, 1, 1); /* 32 does not divide it */
    r.global[1] = 100;
    EXPECT_SIZES(decide(&r).local, 15, 10, 1);
    EXPECT_SIZES(decide(&r).global, 300, 100, 1);
    r.global[2] = 6;
    EXPECT_SIZES(decide(&r).local, 6, 5, 3);
    assert_false(decide(&r).is_global_guessed);
    r.local[0] = 64;
    EXPECT_REFUSED(r, OUTCOME_ARGUMENTS,
                   "--global 300 x 100 x 6 is no multiple of the group size 64");
}

static void groups_are_multiplied(void **state)
{
    geometry_request r = request(64);
    r.groups[0] = 7;
    r.groups[1] = 3;
    geometry g = decide(&r);
    EXPECT_SIZES(g.local, 16, 16, 1);
    EXPECT_SIZES(g.groups, 7, 3, 1);
    r.local[0] = 5;
    EXPECT_SIZES(decide(&r).global, 35, 3, 1);
    r.groups[0] = INT64_MAX / 2;
    EXPECT_REFUSED(r, OUTCOME_LIMIT, "--groups 4611686018427387903 are too many to be counted");
    r.groups[0] = INT64_C(1) << 33;
    EXPECT_REFUSED(r, OUTCOME_LIMIT,
                   "8589934592 groups are more than the 4,294,967,295 of a dispatch");
}

static void a_fixed_size_stays(void **state)
{
    geometry_request r = request(1000);
    r.fixed[0] = 16;
    r.fixed[1] = 8;
    r.fixed[2] = 1;
    geometry g = decide(&r);
    EXPECT_SIZES(g.local, 16, 8, 1);
    EXPECT_SIZES(g.global, 1008, 1000, 1);
    assert_false(g.is_local_guessed);
    r.local[0] = 16;
    EXPECT_SIZES(decide(&r).local, 16, 8, 1);
    r.local[1] = 4;
    EXPECT_REFUSED(r, OUTCOME_ARGUMENTS,
                   "its group size is fixed at 16 x 8: leave out --local 16 x 4");
}

/* As layout(local_size_x_id = 0, local_size_y = 8) has it. */
static void what_is_free_beside_a_fixed_size_is_chosen(void **state)
{
    geometry_request r = request(1 << 20);
    r.fixed[1] = 8;
    r.fixed[2] = 1;
    EXPECT_SIZES(decide(&r).local, 32, 8, 1);
    r.suggested[0] = 64; /* the text's own default */
    EXPECT_SIZES(decide(&r).local, 64, 8, 1);
    r.local[0] = 128;
    EXPECT_SIZES(decide(&r).local, 128, 8, 1);
}

static void groups_that_are_planes_work_on_a_plane(void **state)
{
    geometry_request r = request(100);
    r.local[0] = 16;
    r.local[1] = 8;
    r.local[2] = 2;
    EXPECT_SIZES(decide(&r).global, 112, 104, 2);
    assert_true(decide(&r).is_global_guessed);
}

static void dimensions_that_a_kernel_asks_for_have_n(void **state)
{
    geometry_request r = request(100);
    r.dimensions = 2;
    EXPECT_SIZES(decide(&r).local, 16, 16, 1);
    EXPECT_SIZES(decide(&r).global, 112, 112, 1);
    r.knows_n = false; /* no work-item too many */
    EXPECT_SIZES(decide(&r).local, 10, 10, 1);
    EXPECT_SIZES(decide(&r).global, 100, 100, 1);
    r.kernel_max = 64;
    EXPECT_SIZES(decide(&r).local, 5, 5, 1);
    r.local[0] = 50;
    EXPECT_SIZES(decide(&r).global, 100, 100, 1);
    r = request(64);
    r.dimensions = 3;
    EXPECT_SIZES(decide(&r).local, 8, 8, 4);
    EXPECT_SIZES(decide(&r).global, 64, 64, 64);
    r.global[0] = 32; /* what is given counts */
    EXPECT_SIZES(decide(&r).global, 32, 1, 1);
}

static void groups_beyond_a_limit_are_refused(void **state)
{
    geometry_request r = request(1 << 20);
    r.local[0] = 64;
    r.local[1] = 32;
    EXPECT_REFUSED(r, OUTCOME_LIMIT,
                   "a group of 64 x 32 has 2048 work-items, and cuda:0 takes at most 1024");
    r.kernel_max = 256;
    r.local[1] = 8;
    EXPECT_REFUSED(
        r, OUTCOME_LIMIT,
        "a group of 64 x 8 has 512 work-items, and this kernel runs with at most 256 on cuda:0");
    r.local[1] = -1;
    EXPECT_REFUSED(r, OUTCOME_ARGUMENTS, "a number of work-items or groups is below 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(n_alone_gives_a_line),
        cmocka_unit_test(a_kernel_that_does_not_know_n_gets_no_item_too_many),
        cmocka_unit_test(little_work_is_one_small_group),
        cmocka_unit_test(limits_bound_a_guess),
        cmocka_unit_test(a_given_global_is_divided),
        cmocka_unit_test(groups_are_multiplied),
        cmocka_unit_test(a_fixed_size_stays),
        cmocka_unit_test(what_is_free_beside_a_fixed_size_is_chosen),
        cmocka_unit_test(groups_that_are_planes_work_on_a_plane),
        cmocka_unit_test(dimensions_that_a_kernel_asks_for_have_n),
        cmocka_unit_test(groups_beyond_a_limit_are_refused),
    };
    return cmocka_run_group_tests_name("geometry", tests, NULL, NULL);
}
