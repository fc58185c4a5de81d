/* SPDX-License-Identifier: MIT */
/*
 * calibrate_files SCENARIO SEED < what kerntime-calibrate printed: whether it placed each timestamp of
 * the scenario's files as the calibration does without any file.
 */
#include "bench/calibrate/clock_scenario.h"
#include "clock/calibrate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const clock_scenario *of = argc == 3 ? clock_scenario_find(argv[1]) : NULL;
    if (!of)
        return 2;
    static kt_calibration c;
    const kt_calibration_rule rule = {
        .period_ns = of->period_ns, .valid_bits = of->bits, .step_ticks = 1};
    kt_calibration_init(&c, &rule);
    clock_run run = clock_run_begin(of, strtoull(argv[2], NULL, 10));
    char printed[80], expected[80];
    unsigned long line = 0;
    for (clock_taken taken; clock_run_pair(&run, &taken);) {
        clock_instant instant = clock_run_ask(&run, 0, 1);
        int64_t host_ns = 0;
        double uncertainty_ns = 0;
        kt_calibration_add(&c, &taken.pair);
        kt_calibration_place(&c, instant.ticks, &host_ns, &uncertainty_ns);
        snprintf(expected, sizeof expected, "%" PRId64 " %.3f\n", host_ns, uncertainty_ns);
        line++;
        if (!fgets(printed, sizeof printed, stdin) || strcmp(printed, expected) != 0) {
            fprintf(stderr, "line %lu is %snot %s", line, printed, expected);
            return 1;
        }
    }
    if (fgets(printed, sizeof printed, stdin)) {
        fprintf(stderr, "there is more: %s", printed);
        return 1;
    }
    return line > 100 ? 0 : 1;
}
