/* SPDX-License-Identifier: MIT */
/*
 * Pairs of clocks of an OpenCL driver, which is the stub in one of its moods (opencl_pairs.sh).
 *
 *   unit_opencl_pairs host|own|unsupported|fails
 */
#include "tests/unit/testing.h"

#include <kerntime/kerntime.h>
#include <stdio.h>

#define PAIRS 20

static const char *mood;
static kt_context *context;
static kt_device *device;

static int is(const char *which)
{
    return strcmp(mood, which) == 0;
}

/* What the device's clock shows at that moment; the stub's README says so. */
static int64_t device_ns(int64_t host_ns)
{
    return is("own") ? host_ns + host_ns / 10000 + 1000000007 : host_ns;
}

static void pairs_hold_the_device_time(void **state)
{
    if (!is("host") && !is("own"))
        skip();
    int64_t previous_ns = 0;
    for (int i = 0; i < PAIRS; i++) {
        kt_clock_pair pair;
        EXPECT_OK(kt_device_clock_pair(device, 0, &pair));
        assert_true(previous_ns <= pair.host_before_ns);
        assert_true(device_ns(pair.host_before_ns) <= (int64_t)pair.ticks);
        assert_true((int64_t)pair.ticks <= device_ns(pair.host_after_ns));
        previous_ns = pair.host_after_ns;
    }
    kt_clock_pair none;
    EXPECT_STATUS(kt_device_clock_pair(device, 1, &none), KT_INVALID);
}

/* Not once is an answer taken for a pair. */
static void a_driver_without_pairs_says_so(void **state)
{
    if (!is("unsupported") && !is("fails"))
        skip();
    for (int i = 0; i < PAIRS; i++) {
        kt_clock_pair untouched = {1, 2, 3};
        EXPECT_STATUS(kt_device_clock_pair(device, 0, &untouched), KT_UNSUPPORTED);
        assert_true(kt_error_text()[0]);
        assert_int_equal(untouched.host_before_ns, 1);
        assert_int_equal(untouched.ticks, 2);
        assert_int_equal(untouched.host_after_ns, 3);
        if (is("fails"))
            EXPECT_TEXT_HAS(kt_error_text(), "clGetDeviceAndHostTimer failed: CL_OUT_OF_RESOURCES");
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_hold_the_device_time),
        cmocka_unit_test(a_driver_without_pairs_says_so),
    };
    mood = argc > 1 ? argv[1] : "";
    int failed = 1;
    if (kt_context_create(&context, NULL) == KT_OK &&
        kt_device_open(context, "opencl:0", &device) == KT_OK)
        failed = cmocka_run_group_tests_name(mood, tests, NULL, NULL);
    else
        printf("%s\n", kt_error_text());
    kt_device_close(&device);
    kt_context_destroy(&context);
    return failed;
}
