/* SPDX-License-Identifier: MIT */
/* A CUPTI whose buffers come back latest first, with two records each. */
#include "bench/hw/cupti_types.h"

#include <stddef.h>

#define EXPORT __attribute__((visibility("default")))

enum { RECORDS = 600, EACH = 2, BEGIN_NS = 1000, APART_NS = 5000 };

typedef void request_callback(uint8_t **buffer, size_t *bytes, size_t *records_max);
typedef void complete_callback(void *context, uint32_t stream, uint8_t *buffer, size_t bytes,
                               size_t valid_bytes);

static request_callback *request;
static complete_callback *complete;

EXPORT int cuptiGetVersion(uint32_t *version);
EXPORT int cuptiActivityRegisterCallbacks(request_callback *requested,
                                          complete_callback *completed);
EXPORT int cuptiActivityEnable(int kind);
EXPORT int cuptiActivityDisable(int kind);
EXPORT int cuptiActivityFlushAll(uint32_t flag);
EXPORT int cuptiActivityGetNextRecord(uint8_t *from, size_t valid_bytes, cupti_record **record);

int cuptiGetVersion(uint32_t *version)
{
    *version = 130001;
    return 0;
}

int cuptiActivityRegisterCallbacks(request_callback *requested, complete_callback *completed)
{
    request = requested;
    complete = completed;
    return 0;
}

int cuptiActivityEnable(int kind)
{
    return kind != CUPTI_CONCURRENT_KERNEL;
}

int cuptiActivityDisable(int kind)
{
    return kind != CUPTI_CONCURRENT_KERNEL;
}

int cuptiActivityFlushAll(uint32_t flag)
{
    (void)flag;
    for (int first = RECORDS - EACH; first >= 0; first -= EACH) {
        uint8_t *buffer = NULL;
        size_t bytes = 0, records_max = 0;
        request(&buffer, &bytes, &records_max);
        cupti_kernel *kernels = (cupti_kernel *)(void *)buffer;
        for (int i = first; i < first + EACH; i++) {
            uint64_t start_ns = BEGIN_NS + (uint64_t)i * APART_NS;
            kernels[i - first] = (cupti_kernel){.kind = CUPTI_CONCURRENT_KERNEL,
                                                .start_ns = start_ns,
                                                .end_ns = start_ns + (uint64_t)i + 1,
                                                .name = "spin"};
        }
        complete(NULL, 0, buffer, bytes, EACH * sizeof *kernels);
    }
    return 0;
}

int cuptiActivityGetNextRecord(uint8_t *from, size_t valid_bytes, cupti_record **record)
{
    uint8_t *next = *record ? (uint8_t *)*record + sizeof(cupti_kernel) : from;
    if (next == from + valid_bytes)
        return 12; /* there are no more */
    *record = (cupti_record *)(void *)next;
    return 0;
}
