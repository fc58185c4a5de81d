/* SPDX-License-Identifier: MIT */
/* timer.h - tests of timers in the queues of a program, over the OpenCL stub in one of its moods
 * (timer.sh). */
#ifndef TIMER_H
#define TIMER_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "tests/unit/moods.h"

#include <CL/cl.h>
#include <kerntime/kerntime.h>
#include <kerntime/snapshot.h>
#include <kerntime/timer/opencl.h>

/* Each ends with MOODS_END. */
extern const struct CMUnitTest timer_life_tests[], timer_misuse_tests[], timer_span_tests[],
    timer_timestamp_tests[], timer_thread_tests[], timer_event_tests[];

/* What the program itself calls, of the same library that kerntime opens. */
#define PROGRAM_FUNCTIONS(X)       \
    X(clGetPlatformIDs)            \
    X(clGetDeviceIDs)              \
    X(clCreateContext)             \
    X(clReleaseContext)            \
    X(clCreateCommandQueue)        \
    X(clReleaseCommandQueue)       \
    X(clGetCommandQueueInfo)       \
    X(clEnqueueMarkerWithWaitList) \
    X(clFlush)                     \
    X(clCreateUserEvent)           \
    X(clSetUserEventStatus)        \
    X(clRetainEvent)               \
    X(clReleaseEvent)

typedef struct program_api {
#define POINTER(name) __typeof__(&name) name;
    PROGRAM_FUNCTIONS(POINTER)
#undef POINTER
} program_api;

extern program_api cl;
extern cl_device_id devices[2]; /* the second one if the stub has it */
extern cl_context context;
extern cl_command_queue queue; /* in order, with profiling */
extern kt_timer_context *timer_context;

/* On the stub's simulated clock with noise=0 so much lies between the ends of two commands, and
 * kernel_ns more. */
#define STEP_NS 237

void load_library(void); /* KERNTIME_LIB_OPENCL, or the system's */
/* A program with a queue, not known to kerntime. */
void open_program(void);
void close_program(void);
cl_command_queue make_queue(cl_context in, cl_device_id device,
                            cl_command_queue_properties properties);
/* A command that does nothing, without kerntime; the event is the caller's. */
cl_event enqueue(cl_command_queue to);
void enqueue_some(cl_command_queue to, uint32_t count);

/* The simulated clock may be quicker than the host's, which no span may outlast: sleeps 2 ms. */
void let_the_host_get_ahead(void);
/* The program, and its queue imported: long enough ago that spans of 1 ms can be. spans_max 0: the
 * default. */
void open_timer_context(uint32_t spans_max);
void close_timer_context(void); /* and the program */
kt_status import(cl_command_queue from, uint32_t spans_max, kt_timer_context **out);
kt_timer *make_timer(const char *name);
void span(kt_timer *timer);

kt_timer_context_counts counts_of(const kt_timer_context *of);
uint64_t discarded(const kt_timer_context_counts *counts); /* of all states */
/* No timer runs, so that what is held is in flight. */
void expect_counts(uint64_t in_flight, uint64_t recorded, uint64_t refused, uint64_t all_discarded);
/* A row of the registry as it is; the name must be there. The snapshot is the caller's. */
const kt_row *row_of(kt_snapshot **snapshot, const char *name, kt_backend_id backend);

#endif
