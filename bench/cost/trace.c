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

#if HAVE_OPENCL_TRACER

enum { ROUNDS = 9, WAYS = 5 };

#define LOOP  "env OCL_ICD_VENDORS='" NULL_DRIVER "'"
#define TRACE LOOP " '" COMMAND "' trace --quiet --backend opencl "

static const struct {
    const char *figure, *command;
} ways[WAYS] = {
    {"null", LOOP " '" LOOP_PROGRAM "'"},
    {"off-added", LOOP " OPENCL_LAYERS='" TRACER "' '" LOOP_PROGRAM "'"},
    {"paused-added", TRACE "--output /dev/null --paused -- '" LOOP_PROGRAM "'"},
    {"summary-added", TRACE "--output /dev/null -- '" LOOP_PROGRAM "'"},
    {"time-line-added", TRACE "--trace /dev/null -- '" LOOP_PROGRAM "' 2>/dev/null"},
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

static int run_round(double ns[WAYS])
{
    for (int i = 0; i < 2 * WAYS; i++) {
        int way = i < WAYS ? i : 2 * WAYS - 1 - i;
        double once = run(ways[way].command);
        if (once < 0) {
            fprintf(stderr, "kerntime-bench: failed: %s\n", ways[way].command);
            return 1;
        }
        ns[way] = (i < WAYS ? 0 : ns[way]) + once / 2;
    }
    return 0;
}

int bench_trace(void)
{
    double figures[WAYS][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        double ns[WAYS] = {0};
        if (run_round(ns) != 0)
            return 1;
        for (int way = 0; way < WAYS; way++)
            figures[way][round] = way ? ns[way] - ns[0] : ns[0];
    }
    for (int way = 0; way < WAYS; way++) {
        char name[64];
        snprintf(name, sizeof name, "trace/opencl-%s", ways[way].figure);
        bench_report(name, bench_median(figures[way], ROUNDS), "ns");
    }
    return 0;
}

#else

int bench_trace(void)
{
    fprintf(stderr, "kerntime-bench: built without a tracer of OpenCL: no figure of it\n");
    return 0;
}

#endif
