/* SPDX-License-Identifier: MIT */
/*
 * cupti.h - the few types, numbers and functions of CUPTI that the tracer uses, of our own, since
 * no package brings its headers to every machine. tests/shape/cupti_header.c checks them against
 * cupti.h where that is installed.
 *
 * Room tracers/cuda: CUDA by CUPTI's records. May know: support, tracers/common, tracers/records.
 */
#ifndef TRACERS_CUDA_CUPTI_H
#define TRACERS_CUDA_CUPTI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of records. */
enum { CUPTI_COPY = 1, CUPTI_FILL = 2, CUPTI_KERNEL = 10, CUPTI_PEER_COPY = 22 };

enum { CUPTI_FLUSH_COMPLETE = 0, CUPTI_FLUSH_ALL = 1 };

/* A domain of callbacks, and its callbacks. */
enum { CUPTI_RESOURCES = 3, CUPTI_CONTEXT_CREATED = 1, CUPTI_CONTEXT_ENDS = 2 };

typedef enum cupti_result {
    CUPTI_OK = 0,
    CUPTI_HARDWARE_BUSY = 26,
    CUPTI_VIRTUAL_DEVICE = 33,
    CUPTI_NO_PRIVILEGE = 35,
    CUPTI_OTHER_SUBSCRIBER = 39,
    CUPTI_VIRTUAL_DEVICE_NO_PRIVILEGE = 40,
    CUPTI_CONFIDENTIAL = 41
} cupti_result;

/* Versions that cuptiGetVersion() answers. The records below begin the same in all of them. */
enum {
    CUPTI_FIRST = 12, /* CUDA 10 */
    CUPTI_LAST_OF_12 = 99,
    CUPTI_FIRST_OF_13 = 130000, /* from here on, digits of CUDA's version */
    CUPTI_LAST_OF_13 = 139999
};

/* What each record begins with. */
typedef struct cupti_activity {
    uint32_t kind;
} cupti_activity;

/* CUpti_ActivityKernel4 (CUDA 9) to CUpti_ActivityKernel10 (CUDA 13) begin so. */
typedef struct cupti_kernel_activity {
    uint32_t kind;
    uint32_t settings[3];
    uint64_t start_ns, end_ns, completed_ns;
    uint32_t device, context, stream;
    uint32_t grid[3], block[3]; /* int32_t in CUPTI */
    int32_t memory[2];
    uint32_t local[2];
    uint32_t correlation;
    int64_t grid_id;
    const char *name; /* symbol */
} cupti_kernel_activity;

/* CUpti_ActivityMemcpy and all later ones begin so; those of peer copies, too. */
typedef struct cupti_copy_activity {
    uint32_t kind;
    uint8_t direction, from, to, flags;
    uint64_t bytes;
    uint64_t start_ns, end_ns;
    uint32_t device, context, stream;
} cupti_copy_activity;

/* CUpti_ActivityMemset and all later ones begin so. */
typedef struct cupti_fill_activity {
    uint32_t kind;
    uint32_t value;
    uint64_t bytes;
    uint64_t start_ns, end_ns;
    uint32_t device, context, stream;
} cupti_fill_activity;

typedef void cupti_request(uint8_t **buffer, size_t *bytes, size_t *records_max);
typedef void cupti_complete(void *context, uint32_t stream, uint8_t *buffer, size_t bytes,
                            size_t valid_bytes);
typedef void cupti_callback(void *user, int domain, uint32_t id, const void *data);

/* X(member, function, (parameters)) */
#define CUPTI_FUNCTIONS(X)                                                                       \
    X(get_version, "cuptiGetVersion", (uint32_t *))                                              \
    X(get_result_string, "cuptiGetResultString", (int, const char **))                           \
    X(subscribe, "cuptiSubscribe", (void **, cupti_callback *, void *))                          \
    X(unsubscribe, "cuptiUnsubscribe", (void *))                                                 \
    X(enable_callback, "cuptiEnableCallback", (uint32_t, void *, int, uint32_t))                 \
    X(register_callbacks, "cuptiActivityRegisterCallbacks", (cupti_request *, cupti_complete *)) \
    X(enable, "cuptiActivityEnable", (int))                                                      \
    X(disable, "cuptiActivityDisable", (int))                                                    \
    X(flush_all, "cuptiActivityFlushAll", (uint32_t))                                            \
    X(get_next_record, "cuptiActivityGetNextRecord", (uint8_t *, size_t, cupti_activity **))     \
    X(get_dropped, "cuptiActivityGetNumDroppedRecords", (void *, uint32_t, size_t *))
/* From CUDA 11.6 on. */
#define CUPTI_OPTIONAL_FUNCTIONS(X) \
    X(register_clock, "cuptiActivityRegisterTimestampCallback", (uint64_t(*)(void)))

typedef struct cupti_functions {
#define CUPTI_MEMBER(member, function, parameters) cupti_result(*member) parameters;
    CUPTI_FUNCTIONS(CUPTI_MEMBER)
    CUPTI_OPTIONAL_FUNCTIONS(CUPTI_MEMBER)
#undef CUPTI_MEMBER
} cupti_functions;

/* Finds CUPTI for a driver of CUDA `driver_version` (12040 is 12.4; 0: unknown), and checks its
 * version. False with a sentence. */
bool cupti_open(int driver_version, cupti_functions *out, char *reason, size_t reason_bytes);

/* Sentence about a result of a function that failed. */
void cupti_explain(const cupti_functions *cupti, const char *function, cupti_result result,
                   char *reason, size_t reason_bytes);

#endif
