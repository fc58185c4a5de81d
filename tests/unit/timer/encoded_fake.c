/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tests/unit/timer/encoded_fake.h"

#include "support/host_clock.h"
#include "timer/context.h"

#include <stdio.h>
#include <time.h>

fake_state fake;

typedef struct fake_mark {
    fake_timestamps *timestamps; /* NULL: of whole commands */
    fake_commands *commands;
} fake_mark;

void fake_reset(void)
{
    memset(&fake, 0, sizeof fake);
    fake.period_ns = 1e9 / 12e6;
    fake.offset_ns = INT64_C(7654321987);
    fake.bits = 64;
    fake.whole =
        (kt_timestamp){.state = KT_TIMESTAMP_OK, .clock = 1, .start_ticks = 5, .end_ticks = 42005};
}

uint64_t fake_ticks(int64_t host_ns)
{
    uint64_t ticks = (uint64_t)((double)(host_ns + fake.offset_ns) / fake.period_ns);
    return fake.bits < 64 ? ticks & ((UINT64_C(1) << fake.bits) - 1) : ticks;
}

static kt_status timer_context_init(void *timer_context, const void *desc, kt_clock_info *clocks)
{
    for (int i = 0; i < 2; i++)
        clocks[i] = (kt_clock_info){
            .period_ns = NAN, .frequency_hz = NAN, .uncertainty_ns = NAN, .drift_ppm = NAN};
    snprintf(clocks[0].name, sizeof clocks[0].name, "gpu");
    clocks[0].method = KT_METHOD_DEVICE_TIMESTAMP;
    clocks[0].valid_bits = fake.has_reported_bits ? fake.bits : 0;
    snprintf(clocks[1].name, sizeof clocks[1].name, "command-buffer");
    clocks[1].method = KT_METHOD_COMMAND_BUFFER;
    clocks[1].period_ns = 1;
    clocks[1].valid_bits = 64;
    clocks[1].period_source = KT_SOURCE_REPORTED;
    return KT_OK;
}

static kt_status timer_context_clock_pair(void *timer_context, uint32_t clock, kt_clock_pair *pair)
{
    assert_int_equal(clock, 0);
    fake.pairs++;
    if (fake.pair_status != KT_OK)
        return kt_fail(fake.pair_status, "no such pairs");
    pair->host_before_ns = kt_host_now_ns();
    int64_t read_ns = kt_host_now_ns();
    if (fake.is_monotonic)
        assert_int_equal(kt_host_domain_now(KT_HOST_MONOTONIC, &read_ns), KT_OK);
    pair->ticks = fake.is_monotonic ? (uint64_t)read_ns : fake.stands ? 4711 : fake_ticks(read_ns);
    pair->host_after_ns = kt_host_now_ns();
    return KT_OK;
}

static kt_status take_place(fake_commands *commands, fake_pass *pass, fake_mark *mark)
{
    if (fake.fill_status != KT_OK)
        return kt_fail(fake.fill_status, "it cannot be filled");
    mark->commands = commands;
    commands->retained++;
    if (!pass)
        return KT_OK;
    for (int i = 0; i < 256; i++) {
        bool unused = false;
        if (!atomic_compare_exchange_strong(&fake.timestamps[i].used, &unused, true))
            continue;
        mark->timestamps = pass->timestamps = &fake.timestamps[i];
        mark->timestamps->commands = commands;
        mark->timestamps->timestamp = (kt_timestamp){.state = KT_TIMESTAMP_ZERO};
        return KT_OK;
    }
    return kt_fail(KT_LIMIT, "no more samples");
}

static kt_status mark_fill(void *timer_context, void *commands, void *descriptor, void *mark)
{
    return take_place(commands, descriptor, mark);
}

static void mark_unfill(void *timer_context, void *descriptor)
{
    ((fake_pass *)descriptor)->timestamps = NULL;
}

static kt_status mark_take(void *timer_context, void *object, void *mark)
{
    return take_place(object, NULL, mark);
}

static kt_status mark_stop(void *timer_context, void *stream, void *mark)
{
    assert_non_null(((fake_pass *)stream)->timestamps);
    return fake.stop_status;
}

static kt_status mark_read(void *timer_context, void *mark, kt_timestamp *timestamp)
{
    const fake_mark *m = mark;
    if (fake.read_status != KT_OK)
        return kt_fail(fake.read_status, "it cannot be read");
    if (!m->commands->complete)
        return KT_NOT_READY;
    if (m->commands->failed)
        timestamp->state = KT_TIMESTAMP_ERROR;
    else if (m->timestamps)
        *timestamp = m->timestamps->timestamp;
    else
        *timestamp = fake.whole;
    return KT_OK;
}

static void mark_fini(void *timer_context, void *mark)
{
    const fake_mark *m = mark;
    if (m->commands)
        m->commands->retained--;
    if (m->timestamps)
        m->timestamps->used = false;
}

const kt_instrumentation fake_instrumentation = {.timer_context_size = 1,
                                                 .mark_size = sizeof(fake_mark),
                                                 .timer_context_init = timer_context_init,
                                                 .timer_context_clock_pair =
                                                     timer_context_clock_pair,
                                                 .mark_fill = mark_fill,
                                                 .mark_unfill = mark_unfill,
                                                 .mark_encode = mark_fill,
                                                 .mark_take = mark_take,
                                                 .mark_stop = mark_stop,
                                                 .mark_read = mark_read,
                                                 .mark_fini = mark_fini};

kt_status fake_import(uint32_t spans_max, kt_timer_context **out)
{
    static const kt_metal_import desc = {.size = sizeof desc};
    const kt_backend backend = {.title = kt_backend_metal.title,
                                .instrumentation = &fake_instrumentation};
    kt_status status = kt_timer_context_import(&backend, KT_BACKEND_METAL, &desc, spans_max, out);
    if (status == KT_OK)
        (*out)->backend = &kt_backend_metal;
    return status;
}

void fake_run(fake_pass *pass, fake_commands *commands, int64_t start_ns, int64_t end_ns)
{
    pass->timestamps->timestamp = (kt_timestamp){.state = KT_TIMESTAMP_OK,
                                                 .start_ticks = fake_ticks(start_ns),
                                                 .end_ticks = fake_ticks(end_ns)};
    commands->complete = true;
}

void fake_wait(int64_t duration_ns, int64_t *start_ns, int64_t *end_ns)
{
    *start_ns = kt_host_now_ns();
    kt_system_clock.sleep(kt_system_clock.user, duration_ns);
    *end_ns = kt_host_now_ns();
}

uint32_t fake_used(void)
{
    uint32_t used = 0;
    for (int i = 0; i < 256; i++)
        used += fake.timestamps[i].used;
    return used;
}
