/* SPDX-License-Identifier: MIT */
/* advice.h - one line of advice on improving the numbers. */
#ifndef CLI_ADVICE_H
#define CLI_ADVICE_H

#include <kerntime/kerntime.h>
#include <stdbool.h>

#define ADVICE_BYTES 320

/* Input of the advice. */
typedef struct advice_facts {
    const kt_report *report;
    const kt_measure_options *measure;   /* options as the user gave them */
    uint32_t runs;                       /* number of runs; 0 or 1: a single run */
    const kt_host_state *before, *after; /* state of the host before and after measuring */
    bool walls_alone;                    /* no device times; set by advice_choose() */
} advice_facts;

/* Writes the most useful advice, without "advice: ". Returns false, with `text` unchanged, if there
 * is none. */
bool advice_choose(const advice_facts *facts, char text[ADVICE_BYTES]);

#endif
