/* What the checks of `doctor` make of their numbers. */
#include "cli/doctor/host.h"
#include "cli/doctor/shortest.h"
#include "testing.h"

static void expect_shortest(doctor_shortest found, shortest_by by, double ns)
{
    assert_int_equal(found.by, by);
    EXPECT_NUMBER(found.ns, ns);
}

static void a_tenth_exceeds_grid_and_jitter(void **state)
{
    (void)state;
    kt_ruler ruler = {.grid_ns = 4, .floor_ns = 100, .believed = 1};
    expect_shortest(doctor_judge_shortest(&ruler, 12, 1e6), SHORTEST_BY_STAMPS, 160);
    expect_shortest(doctor_judge_shortest(&ruler, 6, NAN), SHORTEST_BY_STAMPS, 100);
    expect_shortest(doctor_judge_shortest(&ruler, 5, NAN), SHORTEST_BY_FLOOR, 100);
    expect_shortest(doctor_judge_shortest(&ruler, 0, NAN), SHORTEST_BY_FLOOR, 100);
    ruler.floor_ns = NAN; /* no step of the clock within an empty step */
    expect_shortest(doctor_judge_shortest(&ruler, 0, NAN), SHORTEST_BY_STAMPS, 40);
}

static void without_device_time_by_the_host(void **state)
{
    (void)state;
    const kt_ruler fake = {.grid_ns = NAN, .floor_ns = NAN};
    expect_shortest(doctor_judge_shortest(&fake, NAN, 320), SHORTEST_BY_HOST, 3200);
    expect_shortest(doctor_judge_shortest(&fake, 1, 320), SHORTEST_BY_HOST, 3200);
    expect_shortest(doctor_judge_shortest(NULL, NAN, 320), SHORTEST_BY_HOST, 3200);
}

static void what_is_not_known_is_no_number(void **state)
{
    (void)state;
    const kt_ruler fake = {.grid_ns = NAN, .floor_ns = NAN};
    kt_ruler ruler = {.grid_ns = 4, .floor_ns = 100, .believed = 1};
    expect_shortest(doctor_judge_shortest(&fake, NAN, NAN), SHORTEST_NO_MEASURE, NAN);
    expect_shortest(doctor_judge_shortest(NULL, NAN, NAN), SHORTEST_NO_MEASURE, NAN);
    /* The host's clock would do, but nobody ranks by it where there is device time. */
    expect_shortest(doctor_judge_shortest(&ruler, NAN, 320), SHORTEST_NO_JITTER, NAN);
    ruler.grid_ns = NAN;
    expect_shortest(doctor_judge_shortest(&ruler, 1, 320), SHORTEST_NO_JITTER, NAN);
}

/* Two readings a second apart, with `busy` cores of four busy in all, one of them with us. */
static doctor_background background(double busy, double load)
{
    const kt_host_state before = {
        .at_ns = 0, .busy_ns = 5e9, .own_ns = 1e9, .cores = 4, .load = load};
    kt_host_state after = before;
    after.at_ns = 1000000000;
    after.busy_ns += busy * 1e9;
    after.own_ns += 1e9;
    after.load = 9;
    return doctor_judge_background(&before, &after);
}

static void others_count_from_a_tenth_of_all_cores_on(void **state)
{
    (void)state;
    assert_false(background(1, NAN).busy);
    assert_false(background(1.3, 9).busy);
    assert_true(background(1.5, NAN).busy);
    EXPECT_NEAR(background(1.5, NAN).others, 0.5, 1e-9);
    /* Where the system does not count, the load average before tells. */
    assert_true(background(NAN, 0.5).busy);
    assert_false(background(NAN, 0.4).busy);
    assert_false(background(NAN, NAN).busy);
    EXPECT_NUMBER(background(NAN, 0.4).others, NAN);
}

static void governors_that_hold(void **state)
{
    (void)state;
    assert_true(doctor_governor_holds("performance"));
    assert_false(doctor_governor_holds("powersave"));
    assert_false(doctor_governor_holds("ondemand"));
    assert_false(doctor_governor_holds("schedutil"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tenth_exceeds_grid_and_jitter),
        cmocka_unit_test(without_device_time_by_the_host),
        cmocka_unit_test(what_is_not_known_is_no_number),
        cmocka_unit_test(others_count_from_a_tenth_of_all_cores_on),
        cmocka_unit_test(governors_that_hold),
    };
    return cmocka_run_group_tests_name("doctor", tests, NULL, NULL);
}
