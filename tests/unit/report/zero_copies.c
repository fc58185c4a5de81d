/* SPDX-License-Identifier: MIT */
/* Which copies a report takes for zero copies, as series are added to it. */
#include "support/fault.h"
#include "tests/unit/copies.h"

static kt_report *make_report(void)
{
    kt_report *report;
    const kt_document document = make_copies();
    EXPECT_OK(kt_report_create(&report, NULL));
    for (uint32_t i = 0; i < document.device_count; i++)
        EXPECT_OK(kt_report_add_device(report, &document.devices[i].info, NULL));
    return report;
}

static int zero_copies(const kt_report *report)
{
    int found = 0;
    for (uint32_t i = 0; i < kt_report_series_count(report); i++)
        found += kt_report_series(report, i)->zero_copy;
    return found;
}

/* It has no yardstick; what stands for one is 100 GB/s, and 2 MiB in 1 us are more than 10 times
 * that. */
static void a_simulated_device_copies_nothing_in_no_time(void **state)
{
    kt_report *report = make_report();
    kt_device_info info = make_device("sim:0", "a script").info;
    info.type = KT_DEVICE_SIMULATED;
    EXPECT_OK(kt_report_add_device(report, &info, NULL));
    add_line("sim:0", "device-host-map", 8 * KIB, 9, 1000, 1e9, false);
    add_line("sim:0", "device-host", 8 * KIB, 9, 1000, 900, false);
    for (uint32_t i = 0; i < count; i++)
        EXPECT_OK(kt_report_add_series(report, &series[i]));
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(kt_report_series(report, i)->zero_copy, i < 9);
    kt_report_destroy(&report);
}

/* In whatever order they are added: the first sizes may look otherwise, and a faster memory may
 * turn up. */
static void a_report_judges_over_all_sizes(void **state)
{
    add_line("opencl:0", "device-host-map", 8 * KIB, 14, 300, 1e9, false); /* up to 64 MiB */
    add_line("opencl:0", "device-host-map", 8 * KIB, 14, 2000, 1e9, true);
    add_line("opencl:0", "device-host", 8 * KIB, 14, 300, 4, false);
    kt_report *report = make_report();
    for (uint32_t i = 0; i < count; i++)
        EXPECT_OK(kt_report_add_series(report, &series[i]));
    assert_int_equal(zero_copies(report), 28);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(kt_report_series(report, i)->zero_copy, i < 28);
    kt_report_destroy(&report);

    /* 64 KiB in 1 us are 65 GB/s: no copy where memcpy makes 1, and one where it makes 8. */
    report = make_report();
    uint32_t first = count;
    kt_series *fast = add("opencl:0", "heap-device", 64 * KIB, 1000, false);
    EXPECT_OK(kt_report_add_series(report, add("cpu:0", "heap-heap", 8 * KIB, 8 * KIB, false)));
    EXPECT_OK(kt_report_add_series(report, fast));
    assert_int_equal(zero_copies(report), 1);
    EXPECT_OK(kt_report_add_series(report, add("cpu:0", "heap-heap", MIB, MIB / 8, false)));
    assert_int_equal(zero_copies(report), 0);
    /* What was told of a series stays. */
    fast = &series[first];
    fast->zero_copy = 1;
    EXPECT_OK(kt_report_add_series(report, fast));
    EXPECT_OK(kt_report_add_series(report, add("cpu:0", "heap-heap", 2 * MIB, MIB / 8, false)));
    assert_int_equal(zero_copies(report), 1);
    kt_report_destroy(&report);
}

/* memcpy was kept from running in all samples but one: 4 GB/s are what the memory makes. */
static void a_busy_machine_makes_no_zero_copies(void **state)
{
    kt_report *report = make_report();
    add_line("opencl:0", "heap-device", 64 * KIB, 4, 1000, 4, false);
    uint32_t copies = count;
    kt_series *slow = add("cpu:0", "heap-heap", MIB, 100 * MIB, false);
    slow->summary.min = MIB / 4;
    for (uint32_t i = 0; i < count; i++)
        EXPECT_OK(kt_report_add_series(report, &series[i]));
    for (uint32_t i = 0; i < copies; i++)
        assert_int_equal(kt_report_series(report, i)->zero_copy, 0);
    kt_report_destroy(&report);
}

#if KT_FAULTS
/* A series that is judged is there, and one that is not there was not judged. */
static void a_series_is_added_or_not(void **state)
{
    uint64_t nth = 0;
    bool fired = true;
    kt_report *report = make_report();
    add("opencl:0", "device-host-map", 8 * KIB, 300, false);
    for (; fired; nth++) {
        kt_fault_set(KT_FAULT_ALLOC, nth + 1);
        kt_status status = kt_report_add_series(report, &series[0]);
        fired = kt_fault_fired(KT_FAULT_ALLOC) != NULL;
        kt_fault_set(KT_FAULT_ALLOC, 0);
        assert_int_equal(status, fired ? KT_NO_MEMORY : KT_OK);
        assert_int_equal(kt_report_series_count(report), !fired);
    }
    assert_true(nth > 3); /* three arrays grow, and then nothing failed */
    kt_report_destroy(&report);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_simulated_device_copies_nothing_in_no_time, empty),
        cmocka_unit_test_setup(a_report_judges_over_all_sizes, empty),
        cmocka_unit_test_setup(a_busy_machine_makes_no_zero_copies, empty),
#if KT_FAULTS
        cmocka_unit_test_setup(a_series_is_added_or_not, empty),
#endif
    };
    return cmocka_run_group_tests_name("zero_copies", tests, NULL, NULL);
}
