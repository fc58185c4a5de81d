/* SPDX-License-Identifier: MIT */
/* /proc/stat and the numbers of sysfs: whatever stands there, what is made of it is a number. */
#include "support/host_state.h"

#include "fuzz.h"

#include <math.h>

/* Lines that begin with "cpu" and a digit, counted in another way. */
static uint32_t count_cores(const char *text)
{
    uint32_t cores = 0;
    for (const char *at = text; (at = strstr(at, "cpu")) != NULL; at += 3)
        cores += (at == text || at[-1] == '\n') && at[3] >= '0' && at[3] <= '9';
    return cores;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = fuzz_text(data, bytes);
    kt_cpu_stat stat;
    fuzz_fill(&stat, sizeof stat);
    kt_parse_cpu_stat(text, &stat);
    CHECK(isnan(stat.busy_ticks) || stat.busy_ticks >= 0);
    CHECK(isnan(stat.busy_ticks) || strstr(text, "cpu "));
    CHECK(stat.cores == count_cores(text));
    double hz = kt_parse_khz(text);
    CHECK(isnan(hz) || hz == strtod(text, NULL) * 1e3 || hz > 1e15);
    free(text);
    return 0;
}
