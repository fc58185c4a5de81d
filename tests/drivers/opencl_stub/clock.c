/* SPDX-License-Identifier: MIT */
/* When things happened: a simulated clock that moves with the commands, or the host's. */
#include "stub.h"

/* Not zero, as a clock since boot isn't. */
static const cl_ulong FIRST_NS = 1000000007;

/* The pause before the next command. */
static const cl_ulong GAP_NS = 37;

static const cl_ulong COARSE_NS = 65536;

enum { SUBMIT_NS = 100, START_NS = 200, SPOIL_EVERY = 4 };

uint64_t clock_commands;

/* Events with timestamps so far, counted only while a script spoils them. */
static uint64_t spoilable;

static cl_ulong host_ns(void)
{
    return clock_host_ns(CLOCK_MONOTONIC_RAW);
}

/* A clock that is not the host's: it began at another time, and runs 100 ppm fast. */
static cl_ulong own_ns(cl_ulong host)
{
    return host + host / 10000 + FIRST_NS;
}

static cl_ulong device_ns(void)
{
    cl_ulong now = host_ns();
    return script.clock == CLOCK_OWN ? own_ns(now) : now;
}

/* Without some noise, timestamps of every second command, say, would all be apart by a multiple of some
 * step, and whoever looks for the clock's grid would find that step instead of 1 ns. */
static cl_ulong noise_ns(uint64_t ordinal)
{
    return script.noise ? ordinal * UINT64_C(0x9E3779B97F4A7C15) >> 60 : 0;
}

static void simulate(struct timestamps *timestamps, uint64_t ordinal)
{
    cl_ulong longest = script.kernel_ns > script.empty_ns ? script.kernel_ns : script.empty_ns;
    cl_ulong step = START_NS + longest + GAP_NS;
    timestamps->queued = FIRST_NS + ordinal * step + noise_ns(ordinal);
    timestamps->submit = timestamps->queued + SUBMIT_NS;
    timestamps->start = timestamps->queued + START_NS;
    if (ordinal <= script.backlog)
        timestamps->queued -= step;
}

static void swap(cl_ulong *a, cl_ulong *b)
{
    cl_ulong kept = *a;
    *a = *b;
    *b = kept;
}

static void spoil(struct timestamps *timestamps)
{
    uint64_t number = ++spoilable;
    bool turn = number % SPOIL_EVERY == 0;
    if (number < script.spoil_from)
        return;
    cl_ulong *const four[] = {&timestamps->queued, &timestamps->submit, &timestamps->start,
                              &timestamps->end};
    switch ((enum script_timestamps)script.timestamps) {
    case TIMESTAMPS_GOOD: break;
    case TIMESTAMPS_FAKE: *timestamps = (struct timestamps){0, 1, 2, 3}; break;
    case TIMESTAMPS_ZERO: *timestamps = (struct timestamps){0, 0, 0, 0}; break;
    case TIMESTAMPS_SWAPPED:
        if (turn)
            swap(&timestamps->submit, &timestamps->start);
        break;
    case TIMESTAMPS_BACKWARDS:
        if (turn)
            swap(&timestamps->start, &timestamps->end);
        break;
    case TIMESTAMPS_COARSE:
        for (int i = 0; i < 4; i++)
            *four[i] -= *four[i] % COARSE_NS;
        break;
    }
}

void timestamps_begin(struct timestamps *timestamps, uint64_t ordinal)
{
    if (script.clock == CLOCK_SIMULATED) {
        simulate(timestamps, ordinal);
        return;
    }
    timestamps->queued = device_ns();
    timestamps->submit = device_ns();
    timestamps->start = device_ns();
}

void timestamps_end(struct timestamps *timestamps, uint64_t duration_ns)
{
    timestamps->end =
        script.clock == CLOCK_SIMULATED ? timestamps->start + duration_ns : device_ns();
    if (script.event_map_ns) {
        static uint64_t events;
        cl_ulong error_ns = (++events * UINT64_C(0x9E3779B97F4A7C15) >> 32) % script.event_map_ns;
        timestamps->queued += error_ns;
        timestamps->submit += error_ns;
        timestamps->start += error_ns;
        timestamps->end += error_ns;
    }
    if (script.timestamps != TIMESTAMPS_GOOD)
        spoil(timestamps);
}

/* The simulated clock stands still between commands, so a pair with the host's clock would be a
 * lie: like PoCL, it answers that it cannot. */
bool timer_works(void)
{
    return script.clock != CLOCK_SIMULATED && script.timer != TIMER_NONE;
}

static cl_int timer_state(cl_device_id device)
{
    if (!device_use(device))
        return CL_INVALID_DEVICE;
    if (!timer_works())
        return CL_INVALID_OPERATION;
    return script.timer == TIMER_FAIL ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

cl_int clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp,
                               cl_ulong *host_timestamp)
{
    ENTER(clGetDeviceAndHostTimer);
    cl_int error = timer_state(device);
    if (error)
        return error;
    if (!device_timestamp || !host_timestamp)
        return CL_INVALID_VALUE;
    *host_timestamp = host_ns();
    *device_timestamp = script.timer == TIMER_ZERO  ? 0
                        : script.clock == CLOCK_OWN ? own_ns(*host_timestamp)
                                                    : *host_timestamp;
    return CL_SUCCESS;
}
