/* SPDX-License-Identifier: MIT */
/* A timed launch is judged by a ratio and an amount: one of them within its limit suffices. */
#include "bench/hw/hw.h"

#include <math.h>
#include <stdio.h>

int main(void)
{
    static const struct {
        double by_hand_ns, kerntime_ns;
        hw_verdict verdict;
    } rows[] = {
        {100000, 104000, HW_WITHIN}, /* a ratio of 1.04, 4 us more */
        {7000, 7450, HW_WITHIN},     /* 1.064, 450 ns more */
        {7000, 7600, HW_BEYOND},     /* 1.086, 600 ns more */
        {100000, 106000, HW_BEYOND}, /* 1.06, 6 us more */
        {7000, NAN, HW_BEYOND},
    };
    int failed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const hw_launch launch = {.by_hand_ns = rows[i].by_hand_ns,
                                  .kerntime_ns = rows[i].kerntime_ns,
                                  .ratio = rows[i].kerntime_ns / rows[i].by_hand_ns};
        if (hw_judge_launch(&launch) != rows[i].verdict) {
            failed++;
            printf("wrong: %g ns, by hand %g ns\n", launch.kerntime_ns, launch.by_hand_ns);
        }
    }
    return failed > 0;
}
