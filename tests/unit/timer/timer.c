/* SPDX-License-Identifier: MIT */
/*
 * Timers in the queues of a program, over the stub driver in one of its moods; timer.sh says which
 * script goes with which, and what the driver may be asked for.
 *
 *   unit_timer MOOD
 *   unit_timer works_or_is_refused      as the driver answers
 *
 * Some moods suit real drivers: without KERNTIME_LIB_OPENCL those of the system are used, and 77
 * says that there is none.
 */
#include "tests/unit/timer/timer.h"

#include "tests/opencl_can.h"

#include <stdio.h>
#include <stdlib.h>

#define SKIPPED 77

/* 0 if there is something to run on; else says why not. */
static int find_driver(void)
{
    kt_context *found = NULL;
    kt_device_info info;
    if (getenv("KERNTIME_LIB_OPENCL"))
        return 0;
    if (kt_context_create(&found, NULL) != KT_OK)
        return 1;
    kt_status status = kt_device_describe(found, "opencl:0", &info);
    if (status != KT_OK)
        printf("%s: %s\n", status == KT_UNAVAILABLE ? "skipped" : "failed", kt_error_text());
    kt_context_destroy(&found);
    return status == KT_OK ? 0 : status == KT_UNAVAILABLE ? SKIPPED : 1;
}

int set_up(void **state)
{
    open_timer_context(0);
    return 0;
}

int tear_down(void **state)
{
    close_timer_context();
    return 0;
}

int main(int argc, char **argv)
{
    int missing = find_driver();
    if (missing)
        return missing;
    const char *mood = argc > 1 ? argv[1] : "";
    if (strcmp(mood, "works_or_is_refused") == 0)
        mood = opencl_can_tell_times() ? "works" : "refused_from_the_start";
    const struct CMUnitTest *const areas[] = {timer_life_tests,
                                              timer_misuse_tests,
                                              timer_span_tests,
                                              timer_timestamp_tests,
                                              timer_thread_tests,
                                              timer_event_tests,
                                              NULL};
    return run_mood("timer", areas, mood);
}
