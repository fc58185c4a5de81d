/* SPDX-License-Identifier: MIT */
/*
 * records.h - for tracers of drivers that deliver records of finished commands: rows by name, lanes
 * of queues, batches of spans, and the thread that asks the driver for records.
 *
 * A driver's record is no call of the program: nothing here runs on the way of a launch.
 *
 * Room tracers/records. May know: support, tracers/common.
 */
#ifndef TRACERS_RECORDS_RECORDS_H
#define TRACERS_RECORDS_RECORDS_H

#include "tracers/common/tracer.h"

#include <stdbool.h>
#include <stdint.h>

/* What a tracer gives. Called by the thread of records_start(), and by records_start() itself. */
typedef struct records_driver {
    /* Starts or stops recording. False: the tracer gave up. */
    bool (*record)(bool on);
    /* Asks for the records of all that has ended. They may come on any thread. */
    void (*collect)(void);
    /* Id ("cuda:0") and name of a device. */
    void (*describe)(uint32_t device, char id[16], char name[TRACE_NAME_BYTES]);
} records_driver;

/* A finished command. */
typedef struct records_command {
    uint32_t device;
    trace_kind kind;
    const char *name;                  /* symbol of a kernel, else what the row is called */
    uint32_t groups[3], group_size[3]; /* of a kernel */
    uint64_t queue;                    /* any number that tells the device's queues apart */
    int64_t begin_ns, end_ns;          /* 0: the driver has no times */
    uint64_t bytes;                    /* or TRACE_BYTES_UNKNOWN */
} records_command;

/* Starts recording unless it is paused, and the thread. False: the tracer gave up. */
bool records_start(const records_driver *driver);
/* Ends the thread: the last records are then asked for by the caller. False in a child of fork(),
 * where the driver and the thread are not. */
bool records_stop(void);

/* Records are given between these two, a delivery at a time. */
void records_lock(void);
void records_unlock(void); /* hands over what was added */
void records_add(const records_command *command);
/* Commands whose records the driver lost. */
void records_dropped(uint64_t count);
/* From now on, an incomplete record counts as a command in flight. */
void records_end(void);
/* What is added to times from now on, so that they are of the host's clock (tracer_now_ns()), and how
 * far they may be from it. A delivery has one offset, or durations would change. */
void records_clock(int64_t offset_ns, double uncertainty_ns);

enum { RECORDS_NAME_BYTES = 1024 };

/* A kernel's name as people write it: "vectorAdd(float const*, int)" of "_Z9vectorAddPKfi". It is
 * the symbol itself where the process has no demangler of C++, and the name is no plain one. */
void records_readable(const char *symbol, char name[RECORDS_NAME_BYTES]);

#endif
