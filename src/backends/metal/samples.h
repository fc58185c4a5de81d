/*
 * samples.h - room for stamps, for both APIs. A counter sample buffer has 4,096 samples, is made
 * with zeros and cannot be reset, and few of them can live at once, so each stamp gets a place that
 * was never used before; a buffer goes when all of it was used and read. What writes to one has to
 * keep it (metal_keep()): a command buffer does not always retain it, and needs it until it is
 * deallocated itself (WebKit's pull request 39933).
 */
#ifndef KT_METAL_SAMPLES_H
#define KT_METAL_SAMPLES_H

#include "backends/metal/api.h"
#include "support/thread.h"

#include <kerntime/result.h>

/* Samples of one buffer: 32 KiB, the most that Metal takes. */
#define METAL_SAMPLES 4096
/* Metal refuses more than 32 live buffers of a device (seen up to macOS 14); those of the program
 * and of other natives are among them. */
#define METAL_SAMPLE_BUFFERS_MAX 16

typedef struct metal_sample_buffer {
    objc_id buffer;  /* NULL: none */
    uint32_t used;   /* samples handed out so far */
    uint32_t ranges; /* of those that were not given back */
} metal_sample_buffer;

/* What the buffers are called, so that timers know kerntime's in a descriptor of the program: no
 * name that a program would give its own. */
#define METAL_SAMPLES_LABEL "kerntime counter samples"

/* Some samples in a row, in one buffer. Zeroed: none. */
typedef struct metal_range {
    objc_id buffer; /* lives until the range is given back */
    uint32_t index; /* among the buffers */
    uint32_t first, count;
} metal_range;

typedef struct metal_samples {
    const metal_api *api;
    objc_id device;
    objc_id counter_set; /* that of timestamps */
    kt_mutex *mutex;
    uint32_t current; /* of the buffers: the one that ranges come from */
    metal_sample_buffer buffers[METAL_SAMPLE_BUFFERS_MAX];
} metal_samples;

/* Makes no buffer yet. Finish it also after a failure, or zeroed. Neither object is retained. */
kt_status metal_samples_init(metal_samples *samples, const metal_api *api, objc_id device,
                             objc_id counter_set);
/* No range is used any more. */
void metal_samples_fini(metal_samples *samples);

/* Makes a buffer unless the current one has `count` left, so that the next take need not: `count`
 * <= METAL_SAMPLES. KT_LIMIT: there are too many; KT_DRIVER_ERROR with Metal's words. Any thread,
 * as for what follows. */
kt_status metal_samples_prepare(metal_samples *samples, uint32_t count);
/* The next `count` samples; makes a buffer if it must. Failures as above; then `out` is zeroed. */
kt_status metal_samples_take(metal_samples *samples, uint32_t count, metal_range *out);
/* The range is not used any more, though its command buffer may not have ended, which keeps the
 * buffer. Zeroes it. */
void metal_samples_give_back(metal_samples *samples, metal_range *range);

/* The values of a range whose command buffer has completed. KT_DRIVER_ERROR: they cannot be had. */
kt_status metal_samples_resolve(const metal_samples *samples, const metal_range *range,
                                uint64_t *values);

/* What two samples say of a step or a pass. Two that are the same are a span that the clock is too
 * coarse for; an end far below the start may be a counter's next turn, of which the core knows
 * more. */
static inline kt_stamp_state metal_stamp_state(uint64_t start, uint64_t end)
{
    if (start == METAL_SAMPLE_ERROR || end == METAL_SAMPLE_ERROR)
        return KT_STAMP_ERROR;
    if (start == 0 || end == 0)
        return KT_STAMP_ZERO;
    return end < start && end >= start / 2 ? KT_STAMP_NEGATIVE : KT_STAMP_OK;
}

#endif
