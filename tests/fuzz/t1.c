/* SPDX-License-Identifier: MIT */
/* T1 files of autotuners. */
#include "cli/run/t1.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char reason[T1_REASON_BYTES];
    t1_problem problem;
    fuzz_fill(reason, sizeof reason);
    if (t1_read_text("folder/x.json", (const char *)data, bytes, &problem, reason) != 0) {
        fuzz_check_sentence(reason, sizeof reason);
    } else {
        CHECK(problem.operand && problem.sizes.count == 1 && problem.sizes.values[0] >= 1);
        CHECK(problem.settings.locals.count == 1);
        CHECK(!problem.settings.global != !problem.settings.groups);
        for (size_t i = 0; i < problem.settings.defines.count; i++)
            CHECK(problem.settings.defines.texts[i]);
        for (size_t i = 0; i < problem.settings.arguments.count; i++)
            CHECK(strchr(problem.settings.arguments.texts[i], '='));
    }
    t1_free(&problem);
    return 0;
}
