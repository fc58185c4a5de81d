/* SPDX-License-Identifier: MIT */
#include "cli/run/launch.h"

const char *const outcome_words[OUTCOME_COUNT] = {
    [OUTCOME_OK] = "ok",           [OUTCOME_BUILD] = "build",
    [OUTCOME_LIMIT] = "limit",     [OUTCOME_ARGUMENTS] = "arguments",
    [OUTCOME_WRONG] = "wrong",     [OUTCOME_NAN] = "nan",
    [OUTCOME_OUTSIDE] = "outside", [OUTCOME_NOTHING] = "nothing",
    [OUTCOME_FAILED] = "failed",   [OUTCOME_TIMEOUT] = "timeout",
    [OUTCOME_CRASHED] = "crashed",
};
