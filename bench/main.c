/*
 * kerntime-bench - what kerntime itself costs, and how often it is right, beside what a user would
 * use instead, in the same run. One line a figure; the program judges nothing, since machines are noisy.
 */
#include "bench.h"

#include <kerntime/kerntime.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

double bench_median_ci95(const double *values, size_t count, double *low, double *high)
{
    kt_summary summary;
    double scratch[BENCH_VALUES_MAX];
    kt_summarize(values, count, 0, scratch, &summary);
    *low = summary.ci95_low;
    *high = summary.ci95_high;
    return summary.median;
}

double bench_median(const double *values, size_t count)
{
    double low, high;
    return bench_median_ci95(values, count, &low, &high);
}

static const struct {
    const char *name;
    int (*run)(void);
} parts[] = {
    {"size", bench_size},         {"coverage", bench_coverage}, {"calibration", bench_calibration},
    {"transfer", bench_transfer}, {"dispatch", bench_dispatch}, {"copy", bench_copy},
    {"record", bench_record},     {"timer", bench_timer},
};
#define PARTS (sizeof parts / sizeof parts[0])

static int usage(void)
{
    fprintf(stderr,
            "Usage: kerntime-bench [--json FILE] [PART]\n"
            "PART is size, coverage, calibration, transfer, dispatch, copy, record or timer; all "
            "of them without it.\n");
    return 2;
}

static int is_part(const char *name)
{
    for (size_t i = 0; i < PARTS; i++)
        if (strcmp(parts[i].name, name) == 0)
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
    const char *path = NULL, *part = NULL;
    int next = 1;
    if (argc >= 3 && strcmp(argv[1], "--json") == 0) {
        path = argv[2];
        next = 3;
    }
    if (next < argc)
        part = argv[next++];
    if (next < argc || (part && !is_part(part)))
        return usage();
    if (path) {
        json = fopen(path, "w");
        if (!json) {
            perror(path);
            return 2;
        }
    }
    int failed = 0;
    for (size_t i = 0; i < PARTS; i++)
        if (!part || strcmp(parts[i].name, part) == 0)
            failed |= parts[i].run();
    if (json && fclose(json) != 0) {
        perror(path);
        return 2;
    }
    return failed ? 4 : 0;
}
