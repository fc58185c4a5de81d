/* SPDX-License-Identifier: MIT */
/*
 * encoded_fake.h - a backend of the shape of Metal's instrumentation API, without Metal: command buffers
 * that are asked whether they are complete, and a clock whose truth is known. What is true of it is
 * set before it is imported.
 */
#ifndef ENCODED_FAKE_H
#define ENCODED_FAKE_H

#include "backend.h"
#include "tests/unit/testing.h"

#include <kerntime/kerntime.h>
#include <kerntime/timer/metal.h>
#include <stdatomic.h>

typedef struct fake_commands {
    atomic_int retained; /* by marks */
    atomic_bool complete, failed;
} fake_commands;

/* Where a pass or an encoder leaves its timestamps. */
typedef struct fake_timestamps {
    atomic_bool used;
    fake_commands *commands;
    kt_timestamp timestamp;
} fake_timestamps;

/* A pass descriptor, or an encoder. */
typedef struct fake_pass {
    fake_timestamps *timestamps; /* NULL: it is not timed */
} fake_pass;

typedef struct fake_state {
    double period_ns;
    int64_t offset_ns; /* of its zero before the host clock's */
    uint32_t bits;
    bool stands;
    bool is_monotonic;      /* it is CLOCK_MONOTONIC */
    bool has_reported_bits; /* timer_context_init tells the width */
    kt_status pair_status;
    atomic_uint pairs;     /* that were read */
    kt_status fill_status; /* of mark_fill, mark_encode and mark_take */
    kt_status stop_status, read_status;
    kt_timestamp whole; /* of whole commands */
    fake_timestamps timestamps[256];
} fake_state;

extern fake_state fake;
extern const kt_instrumentation fake_instrumentation;

/* Of 83.333 ns, of which neither period nor width are told, with a zero of its own. */
void fake_reset(void);
/* The clock's at a moment of the host's. */
uint64_t fake_ticks(int64_t host_ns);
kt_status fake_import(uint32_t spans_max, kt_timer_context **out);

/* The pass lasts from one moment of the host's clock to the other, and its commands are
 * complete. */
void fake_run(fake_pass *pass, fake_commands *commands, int64_t start_ns, int64_t end_ns);
/* Lets so much time pass, and says how much it was: [start, end] of the host's clock. */
void fake_wait(int64_t duration_ns, int64_t *start_ns, int64_t *end_ns);
/* Sample places that are in use. */
uint32_t fake_used(void);

#endif
