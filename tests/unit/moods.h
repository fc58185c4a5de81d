/* moods.h - programs whose tests want a driver in one mood each: the shell's script sets the mood
 * and names the test. */
#ifndef MOODS_H
#define MOODS_H

#include "tests/unit/testing.h"

#include <stdio.h>

/* The test of that name in lists that each end with a name of NULL; no list comes behind NULL. What
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
