/* SPDX-License-Identifier: MIT */
/* timer_context.c - times spans in queues of the program. Here a span lasts from one reading of the
 * host's clock to another. */
#include "backends/template/internal.h"
#include "support/host_clock.h"

#include <math.h>
#include <stdio.h>

/* Open the driver, check the import structure `desc` of <kerntime/timer/NAME.h>, and describe the
 * clocks of the timestamps. */
kt_status kt_template_timer_context_init(void *context, const void *desc, kt_clock_info *clocks)
{
    (void)context, (void)desc;
    clocks[0] = (kt_clock_info){.name = "host",
                                .method = KT_METHOD_DEVICE_TIMESTAMP,
                                .period_ns = 1,
                                .frequency_hz = NAN,
                                .valid_bits = 64,
                                .uncertainty_ns = 0};
    snprintf(clocks[0].domain, sizeof clocks[0].domain, "%s", kt_system_clock_name());
    return KT_OK;
}

/* Check that the queue belongs to the imported device, and retain it in the driver. */
kt_status kt_template_stream_init(void *context, void *stream, bool *in_order)
{
    (void)context, (void)stream;
    *in_order = true;
    return KT_OK;
}

/* Enqueue a timestamp; never wait for it. */
kt_status kt_template_mark_start(void *context, void *stream, void *mark)
{
    (void)context, (void)stream;
    ((template_mark *)mark)->start_ticks = (uint64_t)kt_host_now_ns();
    return KT_OK;
}

kt_status kt_template_mark_stop(void *context, void *stream, void *mark)
{
    (void)context, (void)stream;
    ((template_mark *)mark)->end_ticks = (uint64_t)kt_host_now_ns();
    return KT_OK;
}

/* Query the driver. Return KT_NOT_READY without an error text until both timestamps are there. */
kt_status kt_template_mark_read(void *context, void *mark, kt_timestamp *timestamp)
{
    (void)context;
    const template_mark *m = mark;
    *timestamp = (kt_timestamp){
        .state = KT_TIMESTAMP_OK, .start_ticks = m->start_ticks, .end_ticks = m->end_ticks};
    return KT_OK;
}

/* Release the mark's objects. The mark may be only partly filled. */
void kt_template_mark_fini(void *context, void *mark)
{
    (void)context, (void)mark;
}
