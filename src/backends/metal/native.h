/* native.h - timers in the program's own passes, encoders and command buffers. */
#ifndef KT_METAL_NATIVE_H
#define KT_METAL_NATIVE_H

#include "backend.h"
#include "backends/metal/samples.h"
#include "backends/metal/trial.h"

/* Numbers of the clocks, as native/metal.h has them. */
enum { METAL_NATIVE_GPU = 0, METAL_NATIVE_COMMANDS = 1 };

typedef struct metal_native {
    metal_api api;
    objc_id device;  /* the program's, retained */
    bool is_hung;    /* while it was tried out: nothing is released */
    metal_work work; /* a queue of kerntime's own, for trying out */
    metal_pairs pairs;
    metal_sampling sampling;
    metal_samples samples;
} metal_native;

typedef struct metal_mark {
    objc_id commands;  /* its command buffer, retained; NULL: it came to nothing */
    metal_range range; /* of two samples; none: it is of the whole command buffer */
} metal_mark;

kt_status metal_native_init(void *native, const void *desc, kt_clock_info *clocks);
void metal_native_fini(void *native);
kt_status metal_native_clock_pair(void *native, uint32_t clock, kt_clock_pair *pair);
kt_status metal_mark_take(void *native, void *commands, void *mark);
kt_status metal_mark_fill(void *native, void *commands, void *descriptor, void *mark);
void metal_mark_unfill(void *native, void *descriptor);
kt_status metal_mark_encode(void *native, void *commands, void *encoder, void *mark);
kt_status metal_mark_stop(void *native, void *encoder, void *mark);
kt_status metal_mark_read(void *native, void *mark, kt_stamp *stamp);
void metal_mark_fini(void *native, void *mark);

#endif
