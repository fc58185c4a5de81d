/* SPDX-License-Identifier: MIT */
/*
 * What tracing adds to a dispatch, over drivers that do nothing and behind the system's loader: the
 * tracer in the process but off, paused, with the summary alone, and with the time line.
 *
 * Each way is a process of its own, since a loader takes its layers once. Each round takes the ways
 * in turn, there and back (A B B A), and each figure is the median over the rounds of a way's
 * difference to the driver alone in the same round.
 */
#define _POSIX_C_SOURCE 200809L /* popen */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 9, WAYS = 5 };

#define TRACE(api, driver, loop, options) \
    "env " driver " '" COMMAND "' trace --quiet --backend " api " " options " -- '" loop "'"

/* `off`: variables that let the tracer in without a trace. */
#define SUBJECT(api, driver, off, loop)                                       \
    {                                                                         \
        api,                                                                  \
        {                                                                     \
            "env " driver " '" loop "'", "env " driver " " off " '" loop "'", \
                TRACE(api, driver, loop, "--output /dev/null --paused"),      \
                TRACE(api, driver, loop, "--output /dev/null"),               \
                TRACE(api, driver, loop, "--trace /dev/null") " 2>/dev/null"  \
        }                                                                     \
    }

static const char *const figure_names[WAYS] = {"null", "off-added", "paused-added", "summary-added",
                                               "time-line-added"};

static const struct subject {
    const char *api, *commands[WAYS];
} subjects[] = {
#if HAVE_OPENCL_TRACER
    SUBJECT("opencl", "OCL_ICD_VENDORS='" OPENCL_NULL "'", "OPENCL_LAYERS='" OPENCL_TRACER "'",
            OPENCL_LOOP),
#endif
#if HAVE_LEVEL_ZERO_TRACER
    SUBJECT("level_zero", "ZE_ENABLE_ALT_DRIVERS='" LEVEL_ZERO_NULL "'",
            "ZE_ENABLE_TRACING_LAYER=1 LD_LIBRARY_PATH=\"$(dirname '" LEVEL_ZERO_TRACER
            "')/level_zero\"",
            LEVEL_ZERO_LOOP),
#endif
    {NULL, {NULL}},
};

/* Returns ns a dispatch; negative: it failed. */
static double run(const char *command)
{
    char line[64] = "";
    FILE *output = popen(command, "r");
    if (!output)
        return -1;
    char *end = fgets(line, sizeof line, output) ? line : NULL;
    double ns = end ? strtod(line, &end) : -1;
    return pclose(output) == 0 && end != line ? ns : -1;
}

static int run_round(const struct subject *subject, double ns[WAYS])
{
    for (int i = 0; i < 2 * WAYS; i++) {
        int way = i < WAYS ? i : 2 * WAYS - 1 - i;
        double once = run(subject->commands[way]);
        if (once < 0) {
            fprintf(stderr, "kerntime-bench: failed: %s\n", subject->commands[way]);
            return 1;
        }
        ns[way] = (i < WAYS ? 0 : ns[way]) + once / 2;
    }
    return 0;
}

static int bench_subject(const struct subject *subject)
{
    double figures[WAYS][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        double ns[WAYS] = {0};
        if (run_round(subject, ns) != 0)
            return 1;
        for (int way = 0; way < WAYS; way++)
            figures[way][round] = way ? ns[way] - ns[0] : ns[0];
    }
    for (int way = 0; way < WAYS; way++) {
        char name[64];
        snprintf(name, sizeof name, "trace/%s-%s", subject->api, figure_names[way]);
        bench_report(name, bench_median(figures[way], ROUNDS), "ns");
    }
    return 0;
}

int bench_trace(void)
{
    int failed = 0;
    if (!subjects[0].api)
        fprintf(stderr, "kerntime-bench: built without tracers: no figure of them\n");
    for (const struct subject *at = subjects; at->api && !failed; at++)
        failed = bench_subject(at);
    return failed;
}
