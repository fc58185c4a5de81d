/*
 * Timers in the queues of a program, over the stub driver in one of its moods; timer.sh says which script goes with
 * which, and what the driver may be asked for.
 *
 *   unit_timer MOOD
 */
#include "timer.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    const timer_test *const areas[] = {timer_life_tests, timer_misuse_tests, timer_span_tests,
                                       timer_stamp_tests, timer_thread_tests};
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++)
        for (const timer_test *test = areas[i]; test->mood; test++)
            if (argc > 1 && strcmp(test->mood, argv[1]) == 0) {
                const struct CMUnitTest tests[] = {{test->mood, test->test, NULL, NULL, NULL}};
                return cmocka_run_group_tests_name("timer", tests, NULL, NULL);
            }
    fprintf(stderr, "no such mood\n");
    return 2;
}
