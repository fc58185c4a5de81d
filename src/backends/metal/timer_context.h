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

kt_status metal_timer_context_init(void *context, const void *desc, kt_clock_info *clocks);
void metal_timer_context_fini(void *context);
kt_status metal_timer_context_clock_pair(void *context, uint32_t clock, kt_clock_pair *pair);
kt_status metal_mark_take(void *context, void *commands, void *mark);
kt_status metal_mark_fill(void *context, void *commands, void *descriptor, void *mark);
void metal_mark_unfill(void *context, void *descriptor);
kt_status metal_mark_encode(void *context, void *commands, void *encoder, void *mark);
kt_status metal_mark_stop(void *context, void *encoder, void *mark);
kt_status metal_mark_read(void *context, void *mark, kt_timestamp *timestamp);
void metal_mark_fini(void *context, void *mark);

#endif
