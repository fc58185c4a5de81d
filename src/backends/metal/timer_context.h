/* SPDX-License-Identifier: MIT */
/* timer_context.h - the timer context over the program's Metal device. */
#ifndef KT_METAL_TIMER_CONTEXT_H
#define KT_METAL_TIMER_CONTEXT_H

#include "backend.h"
#include "backends/metal/samples.h"
#include "backends/metal/trial.h"

/* Clock numbers as documented in timer/metal.h. */
enum { METAL_TIMER_CONTEXT_GPU = 0, METAL_TIMER_CONTEXT_COMMANDS = 1 };

typedef struct metal_timer_context {
    metal_api api;
    objc_id device;  /* the program's device, retained here */
    bool is_hung;    /* the trial timed out: release nothing */
    metal_work work; /* kerntime's own queue, for the trial */
    metal_pairs pairs;
    metal_sampling sampling;
    metal_samples samples;
} metal_timer_context;

typedef struct metal_mark {
    objc_id commands;  /* timed command buffer, retained; NULL: the mark failed */
    metal_range range; /* two samples; empty: the mark times the whole command buffer */
} metal_mark;

KT_DECLARE_TIMER_SLOTS(metal)

#endif
