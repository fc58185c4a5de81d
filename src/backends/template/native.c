/* Timers in queues of the program: a span lasts from one reading of the host's clock to another. */
#include "backends/template/internal.h"
#include "support/host_clock.h"

#include <math.h>
#include <stdio.h>

/* Open the driver, check what `desc` of native/NAME.h imports, and describe the clocks of the
 * timestamps. */
kt_status template_native_init(void *native, const void *desc, kt_clock_info *clocks)
{
    (void)native, (void)desc;
    clocks[0] = (kt_clock_info){.name = "host",
                                .method = KT_METHOD_DEVICE_TIMESTAMP,
                                .period_ns = 1,
                                .frequency_hz = NAN,
                                .valid_bits = 64,
                                .uncertainty_ns = 0};
    snprintf(clocks[0].domain, sizeof clocks[0].domain, "%s", kt_system_clock_name());
    return KT_OK;
}

/* Is it a queue of the imported device? Have the driver keep it. */
kt_status template_stream_init(void *native, void *stream, bool *in_order)
{
    (void)native, (void)stream;
    *in_order = true;
    return KT_OK;
}

/* Put a timestamp into the queue; never wait for it. */
kt_status template_mark_start(void *native, void *stream, void *mark)
{
    (void)native, (void)stream;
    ((template_mark *)mark)->start_ticks = (uint64_t)kt_host_now_ns();
    return KT_OK;
}

kt_status template_mark_stop(void *native, void *stream, void *mark)
{
    (void)native, (void)stream;
    ((template_mark *)mark)->end_ticks = (uint64_t)kt_host_now_ns();
    return KT_OK;
}

/* Ask the driver; KT_NOT_READY without a sentence until both timestamps are there. */
kt_status template_mark_read(void *native, void *mark, kt_stamp *stamp)
{
    (void)native;
    const template_mark *m = mark;
    *stamp =
        (kt_stamp){.state = KT_STAMP_OK, .start_ticks = m->start_ticks, .end_ticks = m->end_ticks};
    return KT_OK;
}

/* Give back what the mark holds, however far it came. */
void template_mark_fini(void *native, void *mark)
{
    (void)native, (void)mark;
}
