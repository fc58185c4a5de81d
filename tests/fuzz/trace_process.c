/* SPDX-License-Identifier: MIT */
/*
 * Process files of tracers. The bytes are changes to a whole file: first its length in units of 64
 * bytes (0: all), then changes of 10 bytes each: 3 bits select a part of the file, 13 bits one of
 * its numbers, and 8 bytes are the new number.
 */
#include "fuzz.h"
#include "tests/unit/tracers/process_image.h"
#include "tracers/common/collect.h"

static bool take(void *user, const trace_total_event *event)
{
    const trace_totals *totals = user;
    CHECK(event->row < totals->row_count && event->process < totals->process_count);
    return true;
}

static void check_totals(const trace_totals *totals)
{
    for (size_t i = 0; i < totals->row_count; i++) {
        const trace_total *row = &totals->rows[i];
        CHECK(strlen(row->name) < PROCESS_IMAGE_BYTES && row->device < totals->device_count);
        CHECK(!row->size || strlen(row->size) < PROCESS_IMAGE_BYTES);
        CHECK(!(row->median_ns < row->min_ns) && !(row->median_ns > row->max_ns));
        CHECK(!(row->low_ns > row->high_ns));
    }
    for (size_t i = 0; i < totals->device_count; i++)
        CHECK(strlen(totals->devices[i].name) < TRACE_NAME_BYTES);
    for (size_t i = 0; i < totals->gap_count; i++)
        CHECK(strlen(totals->gaps[i].text) < PROCESS_IMAGE_BYTES);
    trace_each_event(totals, take, (void *)(uintptr_t)totals);
}

/* Where the parts of the file begin: what lists point to. */
static size_t part_at(const unsigned char *image, unsigned part)
{
    const trace_file_head *head = (const trace_file_head *)(const void *)image;
    uint64_t newest = head->rows, places[8] = {0, head->chunks, head->gaps, newest};
    places[4] = ((const trace_file_row *)(const void *)(image + newest))->next;
    places[5] = head->devices[0].window;
    places[6] = ((const trace_file_row *)(const void *)(image + newest))->name;
    places[7] = offsetof(trace_file_head, devices);
    return (size_t)places[part];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static _Alignas(64) unsigned char whole[PROCESS_IMAGE_BYTES], image[PROCESS_IMAGE_BYTES];
    static size_t whole_bytes;
    if (!whole_bytes)
        whole_bytes = make_process_image(whole);
    memcpy(image, whole, whole_bytes);
    size_t used = whole_bytes;
    if (bytes >= 2) {
        size_t wanted = 64 * ((size_t)data[0] << 8 | data[1]);
        used = wanted && wanted < used ? wanted : used;
    }
    for (size_t at = 2; at + 10 <= bytes; at += 10) {
        size_t place = part_at(whole, data[at] >> 5);
        place += 8 * ((data[at] & 31u) << 8 | data[at + 1]);
        if (place + 8 <= whole_bytes)
            memcpy(image + place, data + at + 2, 8);
    }
    trace_totals totals;
    if (trace_collect_bytes(image, used, &totals) == 0)
        check_totals(&totals);
    trace_free(&totals);
    return 0;
}
