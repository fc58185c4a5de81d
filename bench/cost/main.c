/* SPDX-License-Identifier: MIT */
/*
 * kerntime-bench - what kerntime itself costs, and how often it is right, beside what a user would
 * use instead, in the same run. One line a figure; the program judges nothing, since machines are
 * noisy.
 */
#include "bench/bench.h"
#include "bench/cost/result.h"

#include <kerntime/kerntime.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char bench_name[] = "kerntime-bench";

static FILE *json;

void bench_report(const char *name, double value, const char *unit)
{
    printf("%-48s %10.3f %s\n", name, value, unit);
    fflush(stdout);
    if (!json)
        return;
    fprintf(json, "{\"bench\": \"%s\", \"value\": ", name);
    if (isfinite(value))
        fprintf(json, "%.6g", value);
    else
        fprintf(json, "null");
    fprintf(json, ", \"unit\": \"%s\"}\n", unit);
}

static const struct {
    const char *name;
    int (*run)(void);
    int has_series; /* in a result file: what kerntime costs, beside what is done by hand */
} parts[] = {
    {"size", bench_size, 0},          {"coverage", bench_coverage, 0},
    {"compare", bench_compare, 0},    {"calibration", bench_calibration, 0},
    {"transfer", bench_transfer, 0},  {"tuning", bench_tuning, 0},
    {"fleet", bench_fleet, 0},        {"dispatch", bench_dispatch, 1},
    {"copy", bench_copy, 0},          {"record", bench_record, 1},
    {"timer", bench_timer, 1},        {"trace", bench_trace, 0},
    {"trace", bench_trace_vulkan, 0}, {"state", bench_state, 0},
    {"energy", bench_energy, 0},
};
#define PARTS (sizeof parts / sizeof parts[0])

static int usage(void)
{
    fprintf(stderr,
            "Usage: kerntime-bench [--json FILE] [PART]\n"
            "       kerntime-bench --result FILE [--json FILE] [PART]\n"
            "PART is size, coverage, compare, calibration, transfer, tuning, fleet, dispatch, "
            "copy, record, timer, trace, state or energy; all of them without it.\n"
            "--result writes what dispatch, record and timer cost where by hand it takes 1 us, "
            "for kerntime compare; of fewer rounds.\n");
    return 2;
}

static int is_part(const char *name, int with_series)
{
    for (size_t i = 0; i < PARTS; i++)
        if (strcmp(parts[i].name, name) == 0)
            return parts[i].has_series || !with_series;
    return 0;
}

static int run_parts(const char *part, int with_series)
{
    int failed = 0;
    for (size_t i = 0; i < PARTS; i++)
        if (part ? strcmp(parts[i].name, part) == 0 : parts[i].has_series || !with_series)
            failed |= parts[i].run();
    return failed;
}

int main(int argc, char **argv)
{
    const char *path = NULL, *result = NULL, *part = NULL;
    int next = 1;
    for (; next + 1 < argc && argv[next][0] == '-'; next += 2)
        if (strcmp(argv[next], "--json") == 0)
            path = argv[next + 1];
        else if (strcmp(argv[next], "--result") == 0)
            result = argv[next + 1];
        else
            return usage();
    if (next < argc)
        part = argv[next++];
    if (next < argc || (part && !is_part(part, result != NULL)))
        return usage();
    if (result && result_begin() != 0)
        return 2;
    if (path) {
        json = fopen(path, "w");
        if (!json) {
            perror(path);
            return 2;
        }
    }
    int failed = run_parts(part, result != NULL);
    if (json && fclose(json) != 0) {
        perror(path);
        return 2;
    }
    if (result && result_end(result) != 0)
        return 2;
    return failed ? 4 : 0;
}
