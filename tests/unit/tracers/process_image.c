/* SPDX-License-Identifier: MIT */
#include "tests/unit/tracers/process_image.h"

#include "tracers/common/batches.h"
#include "tracers/common/busy.h"

#include <stdio.h>
#include <string.h>

static trace_file_head *head_of(unsigned char *image)
{
    return (trace_file_head *)(void *)image;
}

static uint64_t reserve(unsigned char *image, size_t bytes)
{
    uint64_t offset = head_of(image)->used;
    head_of(image)->used = offset + (bytes + 63) / 64 * 64;
    return offset;
}

static uint64_t put_text(unsigned char *image, const char *text)
{
    uint64_t offset = reserve(image, strlen(text) + 1);
    memcpy(image + offset, text, strlen(text) + 1);
    return offset;
}

static trace_file_row *add_row(unsigned char *image, trace_kind kind, const char *name,
                               const char *size)
{
    uint64_t name_at = put_text(image, name), size_at = size ? put_text(image, size) : 0;
    uint64_t offset = reserve(image, sizeof(trace_file_row));
    trace_file_row *row = (trace_file_row *)(void *)(image + offset);
    row->next = head_of(image)->rows;
    row->name = name_at;
    row->size = size_at;
    row->kind = (uint32_t)kind;
    head_of(image)->rows = offset;
    return row;
}

static void add_events(unsigned char *image, uint64_t row)
{
    uint64_t offset = reserve(image, sizeof(trace_file_chunk));
    trace_file_chunk *chunk = (trace_file_chunk *)(void *)(image + offset);
    for (uint32_t i = 0; i < 10; i++)
        chunk->events[i] =
            (trace_event){.begin_ns = 1000 * i, .end_ns = 1000 * i + 500, .row = row};
    chunk->count = 10;
    head_of(image)->chunks = offset;
}

size_t make_process_image(unsigned char *image)
{
    memset(image, 0, PROCESS_IMAGE_BYTES);
    trace_file_head *head = head_of(image);
    head->used = (sizeof *head + 63) / 64 * 64;
    head->magic = TRACE_FILE_MAGIC;
    snprintf(head->version, sizeof head->version, "0");
    snprintf(head->program, sizeof head->program, "program");
    head->process = 10;
    head->parent = 1;
    head->device_count = 1;
    snprintf(head->devices[0].id, sizeof head->devices[0].id, "opencl:0");
    snprintf(head->devices[0].name, sizeof head->devices[0].name, "Device");
    head->devices[0].resolution_ns = 1;
    head->devices[0].offset_ns = 1e6;
    head->devices[0].uncertainty_ns = 100;
    head->devices[0].spans = 100;
    head->devices[0].window = reserve(image, sizeof(trace_window));
    trace_window *window = (trace_window *)(void *)(image + head->devices[0].window);
    trace_file_row *kernel = add_row(image, TRACE_KERNEL, "matmul", NULL);
    for (int i = 0; i < 100; i++) {
        trace_statistics_add(&kernel->statistics, 500 + i * 37 % 100);
        trace_window_add(window, 1000 * i, 1000 * i + 500 + i * 37 % 100);
    }
    trace_file_row *copy = add_row(image, TRACE_COPY, "host to device", "4 KiB");
    copy->untimed[TRACE_NO_TIMESTAMPS] = 3;
    add_events(image, (uint64_t)((unsigned char *)kernel - image));
    uint64_t offset = reserve(image, sizeof(trace_file_gap));
    trace_file_gap *gap = (trace_file_gap *)(void *)(image + offset);
    gap->text = put_text(image, "clSomething is not traced");
    head->gaps = offset;
    head->threads[0].counters[TRACE_COUNTER_CALLS] = 103;
    head->cost.timed[kt_histogram_bucket(50)] = 10;
    return head->used;
}

trace_file_row *process_image_row(unsigned char *image)
{
    uint64_t offset = head_of(image)->rows;
    offset = ((trace_file_row *)(void *)(image + offset))->next;
    return (trace_file_row *)(void *)(image + offset);
}
