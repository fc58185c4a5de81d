/* SPDX-License-Identifier: MIT */
/* own_clock.c - where do timestamps of a device lie on the host's clock?  own_clock [DEVICE] */
#include <inttypes.h>
#include <kerntime/kerntime.h>
#include <stdio.h>
#include <stdlib.h>

static void must(kt_status status)
{
    if (status != KT_OK) {
        fprintf(stderr, "own_clock: %s\n", kt_error_text());
        exit(1);
    }
}

/* Stands for the work of a frame, whose timestamps would be placed. */
static void frame(void)
{
    for (int64_t end_ns = kt_host_now_ns() + 16000000; kt_host_now_ns() < end_ns;)
        ;
}

int main(int argc, char **argv)
{
    kt_context *context;
    kt_device *device;
    kt_clock *clock;
    must(kt_context_create(&context, NULL));
    must(kt_device_open(context, argc > 1 ? argv[1] : "cpu:0", &device));
    must(kt_clock_open(device, 0, NULL, &clock));

    kt_clock_state state;
    for (int i = 0; i < 30; i++) {
        frame();
        must(kt_clock_update(clock)); /* takes a pair if it is time */
    }
    kt_clock_get_state(clock, &state);

    int64_t host_ns, real_ns;
    double off_ns, more_ns;
    must(kt_clock_to_host(clock, state.ticks, &host_ns, &off_ns));
    must(kt_host_convert(KT_HOST_MONOTONIC_RAW, host_ns, KT_HOST_REALTIME, &real_ns, &more_ns));
    printf("tick %" PRIu64 " is at %" PRId64 " ns, within %.1f ns; by the wall clock at %" PRId64
           ", within %.1f ns\n",
           state.ticks, host_ns, off_ns, real_ns, off_ns + more_ns);
    printf("a tick is %.6f ns, within %.6f, known by %s\n", state.period_ns,
           state.period_uncertainty_ns, kt_clock_source_name(state.source));

    kt_clock_close(&clock);
    kt_device_close(&device);
    kt_context_destroy(&context);
    return 0;
}
