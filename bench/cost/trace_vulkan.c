/* SPDX-License-Identifier: MIT */
/*
 * What tracing a Vulkan program costs, beside a program that times itself: the loop plain, timed by
 * hand, and plain under `kerntime trace`. Over the stub driver, whose calls return at once, and over
 * the system's first device.
 *
 * As in trace.c, each way is a process of its own, and the rounds go there and back.
 */
#define _POSIX_C_SOURCE 200809L /* popen */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>

#if HAVE_VULKAN_TRACER

enum { ROUNDS = 9, WAYS = 4 };

#define TRACE "'" COMMAND "' trace --quiet --backend vulkan "
#define LOOP  "'" VULKAN_LOOP "' "

static const struct {
    const char *figure, *command;
} ways[WAYS] = {
    {"plain", LOOP "plain"},
    {"timed-by-hand", LOOP "timed"},
    {"traced", TRACE "--output /dev/null -- " LOOP "plain"},
    {"time-line", TRACE "--trace /dev/null -- " LOOP "plain 2>/dev/null"},
};

/* Returns ns a dispatch; negative: it failed. */
static double run(const char *driver, const char *way, const char *count)
{
    char command[4096], line[64] = "";
    snprintf(command, sizeof command, "env %s %s %s", driver, way, count);
    FILE *output = popen(command, "r");
    if (!output)
        return -1;
    char *end = fgets(line, sizeof line, output) ? line : NULL;
    double ns = end ? strtod(line, &end) : -1;
    if (pclose(output) == 0 && end != line)
        return ns;
    fprintf(stderr, "kerntime-bench: failed: %s\n", command);
    return -1;
}

static int compare(const char *name, const char *driver, const char *count)
{
    double figures[WAYS][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        double ns[WAYS] = {0};
        for (int i = 0; i < 2 * WAYS; i++) {
            int way = i < WAYS ? i : 2 * WAYS - 1 - i;
            double once = run(driver, ways[way].command, count);
            if (once < 0)
                return 1;
            ns[way] += once / 2;
        }
        for (int way = 0; way < WAYS; way++)
            figures[way][round] = way < 2 ? ns[way] : ns[way] / ns[1];
    }
    for (int way = 0; way < WAYS; way++) {
        char text[64];
        snprintf(text, sizeof text, "trace/vulkan-%s-%s%s", name, ways[way].figure,
                 way < 2 ? "" : "-over-by-hand");
        bench_report(text, bench_median(figures[way], ROUNDS), way < 2 ? "ns" : "x");
    }
    return 0;
}

/* A software driver gets one core: waking another one takes 10 to 200 us, whatever is traced. */
int bench_trace_vulkan(void)
{
    return compare("null", "VK_DRIVER_FILES='" VULKAN_STUB "'", "100") |
           compare("driver", "LP_NUM_THREADS=1 taskset -c 0", "10");
}

#else

int bench_trace_vulkan(void)
{
    fprintf(stderr, "kerntime-bench: built without a tracer of Vulkan: no figure of it\n");
    return 0;
}

#endif
