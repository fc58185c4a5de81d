/* advice.h - one line of advice on improving the numbers. */
#ifndef CLI_ADVICE_H
#define CLI_ADVICE_H

#include <kerntime/kerntime.h>
#include <stdbool.h>

#define ADVICE_BYTES 320

/* Input of the advice. */
typedef struct advice_facts {
    const kt_report *report;
    const kt_measure_options *measure;   /* as requested */
    uint32_t runs;                       /* 0 or 1: a single run */
    const kt_host_state *before, *after; /* around the whole measurement */
    bool walls_alone;                    /* set by advice_choose() */
} advice_facts;

/* Writes the most useful advice, without "advice: ". False: none, and `text` is unchanged. */
bool advice_choose(const advice_facts *facts, char text[ADVICE_BYTES]);

#endif
