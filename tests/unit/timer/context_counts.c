/* SPDX-License-Identifier: MIT */
#include "tests/unit/timer/context_counts.h"

kt_timer_context_counts get_counts(void)
{
    kt_timer_context_counts counts;
    kt_timer_context_get_counts(timer_context, &counts);
    return counts;
}

void expect_counts(uint64_t recorded, kt_timestamp_state state, uint64_t discarded,
                   const char *file, int line)
{
    kt_timer_context_counts counts = get_counts();
    bool equal = counts.recorded == recorded;
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++) {
        uint64_t expected = i == (int)state ? discarded : 0;
        equal &= counts.discarded[i] == expected;
        if (counts.discarded[i] != expected)
            print_error(
                "%llu are discarded as %s, not %llu\n", (unsigned long long)counts.discarded[i],
                kt_timestamp_state_name((kt_timestamp_state)i), (unsigned long long)expected);
    }
    if (equal)
        return;
    print_error("%llu are recorded, and should be %llu\n", (unsigned long long)counts.recorded,
                (unsigned long long)recorded);
    _fail(file, line);
}
