/* SPDX-License-Identifier: MIT */
/* moods.h - programs whose tests want a driver in one mood each: the shell's script sets the mood
 * and names the test. */
#ifndef MOODS_H
#define MOODS_H

#include "tests/unit/testing.h"

#include <stdio.h>

/* A test between set_up() and tear_down(), which each program has; _OF gives it a state. */
#define MOOD(test) MOOD_OF(#test, test, NULL)
#define MOOD_OF(name, test, ...)                   \
    {                                              \
        name, test, set_up, tear_down, __VA_ARGS__ \
    }
int set_up(void **state);
int tear_down(void **state);

/* Of those that end with MOODS_END; it opens what it needs by itself, and closes it. */
#define BARE(test) cmocka_unit_test(test)
#define BARE_OF(name, test, state)    \
    {                                 \
        name, test, NULL, NULL, state \
    }
#define MOODS_END BARE_OF(NULL, NULL, NULL)

/* The test of that name in lists that each end with MOODS_END; no list comes behind NULL. What
 * main() returns. */
static inline int run_mood(const char *group, const struct CMUnitTest *const *lists,
                           const char *name)
{
    for (; name && *lists; lists++)
        for (const struct CMUnitTest *test = *lists; test->name; test++)
            if (strcmp(test->name, name) == 0) {
                const struct CMUnitTest tests[] = {*test};
                return cmocka_run_group_tests_name(group, tests, NULL, NULL);
            }
    fprintf(stderr, "no such mood\n");
    return 2;
}

#endif
