/* advice.h - one line on what would make the numbers better. */
#ifndef CLI_ADVICE_H
#define CLI_ADVICE_H

#include <kerntime/kerntime.h>
#include <stdbool.h>

#define ADVICE_BYTES 320

/* What is to be known to give it. */
typedef struct advice_facts {
    const kt_report *report;
    const kt_measure_options *measure;   /* as asked for */
    uint32_t runs;                       /* 0 or 1: one */
    const kt_host_state *before, *after; /* all of the measuring */
    bool walls_alone;                    /* found out by advice_choose() */
} advice_facts;

/* The most useful advice, without "advice: ". False: there is none, `text` is as it was. */
bool advice_choose(const advice_facts *facts, char text[ADVICE_BYTES]);

#endif
