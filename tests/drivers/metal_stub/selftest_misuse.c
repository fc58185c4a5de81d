/* Misuse is found: one case for each sentence. */
#include "selftest.h"

#define MISUSE "misuse 1 "

const struct test_case misuse_cases[] = {
    {NULL, NULL, NULL, false},
};
