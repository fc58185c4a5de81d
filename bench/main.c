/*
 * kerntime-bench - what kerntime itself costs, and how often it is right, beside what a user would
 * use instead, in the same run. One line a figure; the program judges nothing, since machines are noisy.
 */
#include "bench.h"

#include <kerntime/kerntime.h>
#include <stdio.h>
#include <string.h>

static FILE *json;

void bench_report(const char *name, double value, const char *unit)
{
    printf("%-36s %10.2f %s\n", name, value, unit);
    fflush(stdout);
    if (json)
        fprintf(json, "{\"bench\": \"%s\", \"value\": %.6g, \"unit\": \"%s\"}\n", name, value,
                unit);
}

double bench_median(const double *values, size_t count)
{
    kt_summary summary;
    double scratch[BENCH_VALUES_MAX];
    kt_summarize(values, count, 0, scratch, &summary);
    return summary.median;
}

static int usage(void)
{
    fprintf(stderr, "Usage: kerntime-bench [--json FILE]\n");
    return 2;
}

int main(int argc, char **argv)
{
    if (argc != 1 && (argc != 3 || strcmp(argv[1], "--json") != 0))
        return usage();
    if (argc == 3) {
        json = fopen(argv[2], "w");
        if (!json) {
            perror(argv[2]);
            return 2;
        }
    }
    int failed = bench_size();
    failed |= bench_coverage();
    failed |= bench_dispatch();
    if (json && fclose(json) != 0) {
        perror(argv[2]);
        return 2;
    }
    return failed ? 4 : 0;
}
