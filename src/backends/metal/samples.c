/* SPDX-License-Identifier: MIT */
#include "backends/metal/samples.h"

#include "backends/metal/work.h"
#include "support/error.h"

#include <string.h>

kt_status kt_metal_samples_init(metal_samples *samples, const metal_api *api, objc_id device,
                                objc_id counter_set)
{
    samples->api = api;
    samples->device = device;
    samples->counter_set = counter_set;
    return kt_mutex_create(&samples->mutex);
}

void kt_metal_samples_fini(metal_samples *samples)
{
    for (int i = 0; i < METAL_SAMPLE_BUFFERS_MAX; i++)
        if (samples->buffers[i].buffer)
            metal_release(samples->api, samples->buffers[i].buffer);
    kt_mutex_destroy(samples->mutex);
    *samples = (metal_samples){0};
}

/* Fails with a status by the error code, which says whether Metal ran out of sample buffers or
 * rejected the descriptor. */
static kt_status fail_to_create(const metal_api *api, objc_id error)
{
    bool is_full = error && metal_code(api, error) == METAL_NO_ROOM;
    return kt_fail(is_full ? KT_LIMIT : KT_DRIVER_ERROR,
                   is_full ? "Metal makes no more counter sample buffers: %s"
                           : "newCounterSampleBufferWithDescriptor:error: gives nothing: %s",
                   kt_metal_words_of(api, error));
}

static kt_status create_buffer(const metal_samples *samples, objc_id *out)
{
    const metal_api *api = samples->api;
    objc_id error = NULL;
    objc_id descriptor = metal_new_object(api, api->samples_class);
    objc_id label = kt_metal_text_create(api, METAL_SAMPLES_LABEL, strlen(METAL_SAMPLES_LABEL));
    kt_status status = KT_OK;
    if (!descriptor || !label) {
        status = kt_metal_fail_nil("new of MTLCounterSampleBufferDescriptor, or of its label,");
        goto done;
    }
    metal_set_label(api, descriptor, label);
    metal_set_counter_set(api, descriptor, samples->counter_set);
    metal_set_storage_mode(api, descriptor, METAL_STORAGE_SHARED);
    metal_set_sample_count(api, descriptor, METAL_SAMPLES);
    *out = metal_new_sample_buffer(api, samples->device, descriptor, &error);
    if (!*out)
        status = fail_to_create(api, error);
done:
    metal_release(api, label);
    metal_release(api, descriptor);
    return status;
}

/* Stops handing out samples of a sample buffer, whose ranges may still be in use. */
static void retire(metal_samples *samples, metal_sample_buffer *buffer)
{
    buffer->used = METAL_SAMPLES;
    if (buffer->buffer && buffer->ranges == 0) {
        metal_release(samples->api, buffer->buffer);
        *buffer = (metal_sample_buffer){0};
    }
}

static kt_status make_room(metal_samples *samples, uint32_t count)
{
    metal_sample_buffer *current = &samples->buffers[samples->current];
    if (current->buffer && METAL_SAMPLES - current->used >= count)
        return KT_OK;
    retire(samples, current);
    uint32_t free = 0;
    while (free < METAL_SAMPLE_BUFFERS_MAX && samples->buffers[free].buffer)
        free++;
    if (free == METAL_SAMPLE_BUFFERS_MAX)
        return kt_fail(KT_LIMIT, "all of %d counter sample buffers are in use",
                       METAL_SAMPLE_BUFFERS_MAX);
    objc_id made = NULL;
    kt_status status = create_buffer(samples, &made);
    if (status != KT_OK)
        return status;
    samples->buffers[free] = (metal_sample_buffer){.buffer = made};
    samples->current = free;
    return KT_OK;
}

kt_status kt_metal_samples_prepare(metal_samples *samples, uint32_t count)
{
    void *pool = metal_pool_push(samples->api);
    kt_mutex_lock(samples->mutex);
    kt_status status = make_room(samples, count);
    kt_mutex_unlock(samples->mutex);
    metal_pool_pop(samples->api, pool);
    return status;
}

kt_status kt_metal_samples_take(metal_samples *samples, uint32_t count, metal_range *out)
{
    *out = (metal_range){0};
    void *pool = metal_pool_push(samples->api);
    kt_mutex_lock(samples->mutex);
    kt_status status = make_room(samples, count);
    if (status == KT_OK) {
        metal_sample_buffer *current = &samples->buffers[samples->current];
        *out = (metal_range){current->buffer, samples->current, current->used, count};
        current->used += count;
        current->ranges++;
    }
    kt_mutex_unlock(samples->mutex);
    metal_pool_pop(samples->api, pool);
    return status;
}

void kt_metal_samples_give_back(metal_samples *samples, metal_range *range)
{
    if (!range->buffer)
        return;
    kt_mutex_lock(samples->mutex);
    metal_sample_buffer *buffer = &samples->buffers[range->index];
    buffer->ranges--;
    if (range->index != samples->current || buffer->used == METAL_SAMPLES)
        retire(samples, buffer);
    kt_mutex_unlock(samples->mutex);
    *range = (metal_range){0};
}

kt_status kt_metal_samples_resolve(const metal_samples *samples, const metal_range *range,
                                   uint64_t *values)
{
    const metal_api *api = samples->api;
    size_t bytes = range->count * sizeof *values;
    void *pool = metal_pool_push(api);
    objc_id data =
        metal_resolve(api, range->buffer, (metal_range_of_units){range->first, range->count});
    const void *content = metal_bytes(api, data);
    bool whole = content && metal_length(api, data) >= bytes;
    if (whole)
        memcpy(values, content, bytes);
    metal_pool_pop(api, pool);
    return whole ? KT_OK
                 : kt_fail(KT_DRIVER_ERROR, "resolveCounterRange: gives nothing of %u samples",
                           range->count);
}
