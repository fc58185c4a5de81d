/* SPDX-License-Identifier: MIT */
/*
 * cells.c - cells of the instrumentation API: an event each. kerntime's own cells also have host
 * memory for two timestamps; cells for the program are handed out as events.
 *
 * Blocks of cells share an event pool and an allocation. Cells are reused, the longest unused
 * first. Handed-out cells are kept apart from kerntime's own.
 *
 * A cell that is found signalled when it is taken was signalled by a second command of the program.
 * It is never taken again, and the call is refused. A cell that is given up while the device may
 * still write to it is not reused; its block is destroyed only if the write has ended when the
 * timer context closes.
 */
#include "backends/level_zero/timer_context.h"
#include "support/alloc.h"

#include <string.h>

#define BLOCK_MIN 64   /* cells in the first block; each later block has twice as many */
#define BLOCK_MAX 4096 /* most cells in a block */

struct level_zero_block {
    level_zero_block *next;
    ze_event_pool_handle_t pool;
    uint64_t *timestamps;
    uint32_t count, made; /* `made` events exist so far: creating all at once takes ms */
    level_zero_cell cells[];
};

kt_status kt_level_zero_cells_init(level_zero_cells *cells, const level_zero_base *base,
                                   bool has_timestamps)
{
    cells->base = base;
    cells->has_timestamps = has_timestamps;
    return kt_mutex_create(&cells->mutex);
}

/* A cell whose event cannot be queried is not done. If no command signals the event, nonzero
 * timestamps show that the device has written them. */
bool kt_level_zero_cell_is_done(const level_zero_cells *cells, const level_zero_cell *cell)
{
    if (cells->has_timestamps || cell->signals)
        return ZE_CODE(cells->base->api, zeEventQueryStatus, cell->event) == ZE_RESULT_SUCCESS;
    kt_timestamp timestamp = kt_level_zero_written_timestamp(cell);
    return (cell->timestamp_count < 1 || timestamp.start_ticks != 0) &&
           (cell->timestamp_count < 2 || timestamp.end_ticks != 0);
}

static bool is_in_use(const level_zero_cells *cells, const level_zero_block *block)
{
    for (uint32_t i = 0; i < block->made; i++)
        if (block->cells[i].taken && !kt_level_zero_cell_is_done(cells, &block->cells[i]))
            return true;
    return false;
}

static void destroy_block(const level_zero_cells *cells, level_zero_block *block)
{
    for (uint32_t i = 0; i < block->made; i++)
        cells->base->api->zeEventDestroy(block->cells[i].event);
    if (block->pool)
        cells->base->api->zeEventPoolDestroy(block->pool);
    kt_level_zero_free(cells->base, block->timestamps);
    kt_free(block);
}

void kt_level_zero_cells_fini(level_zero_cells *cells)
{
    while (cells->blocks) {
        level_zero_block *block = cells->blocks;
        cells->blocks = block->next;
        if (is_in_use(cells, block))
            kt_free(block);
        else
            destroy_block(cells, block);
    }
    kt_mutex_destroy(cells->mutex);
}

static kt_status fill_block(level_zero_cells *cells, level_zero_block *block)
{
    const ze_event_pool_desc_t pool = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE |
                 (cells->has_timestamps ? ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP : 0),
        .count = block->count};
    size_t bytes = (size_t)block->count * LEVEL_ZERO_CELL_BYTES;
    ze_device_handle_t device = cells->base->device;
    void *timestamps = NULL;
    kt_status status = ZE_DO(cells->base->api, zeEventPoolCreate, cells->base->context, &pool, 1,
                             &device, &block->pool);
    if (status == KT_OK && !cells->has_timestamps)
        status = kt_level_zero_host_alloc(cells->base, bytes, &timestamps);
    if (timestamps)
        memset(timestamps, 0, bytes); /* a timestamp of 0 means not written */
    block->timestamps = timestamps;
    return status;
}

static kt_status add_block(level_zero_cells *cells)
{
    uint32_t count = cells->blocks ? 2 * cells->blocks->count : BLOCK_MIN;
    if (count > BLOCK_MAX)
        count = BLOCK_MAX;
    level_zero_block *block = kt_alloc(1, sizeof *block + count * sizeof block->cells[0]);
    if (!block)
        return KT_NO_MEMORY;
    block->count = count;
    kt_status status = fill_block(cells, block);
    if (status != KT_OK) {
        destroy_block(cells, block);
        return status;
    }
    block->next = cells->blocks;
    cells->blocks = block;
    return KT_OK;
}

/* Creates a cell that was never used. */
static kt_status make_cell(level_zero_cells *cells, level_zero_cell **out)
{
    level_zero_block *block = cells->blocks;
    if (!block || block->made == block->count) {
        kt_status status = add_block(cells);
        if (status != KT_OK)
            return status;
        block = cells->blocks;
    }
    const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
                                  .index = block->made,
                                  .signal = ZE_EVENT_SCOPE_FLAG_HOST,
                                  .wait = ZE_EVENT_SCOPE_FLAG_HOST};
    level_zero_cell *cell = &block->cells[block->made];
    kt_status status = ZE_DO(cells->base->api, zeEventCreate, block->pool, &desc, &cell->event);
    if (status != KT_OK)
        return status;
    if (block->timestamps)
        cell->timestamps =
            block->timestamps + (size_t)block->made * (LEVEL_ZERO_CELL_BYTES / sizeof(uint64_t));
    block->made++;
    *out = cell;
    return KT_OK;
}

/* Giving a cell back resets its event, so a signalled event was signalled by a second command. */
static kt_status check_unused(const level_zero_cells *cells, const level_zero_cell *cell)
{
    ze_result_t code = ZE_CODE(cells->base->api, zeEventQueryStatus, cell->event);
    if (code == ZE_RESULT_NOT_READY)
        return KT_OK;
    if (code != ZE_RESULT_SUCCESS)
        return kt_level_zero_fail("zeEventQueryStatus", code);
    return kt_fail(KT_INVALID, "an event was used anew: it was signalled again after its span was "
                               "taken in, so it is handed out no more; each is of one command "
                               "that runs once");
}

kt_status kt_level_zero_cell_take(level_zero_cells *cells, level_zero_cell **out)
{
    kt_status status = KT_OK;
    kt_mutex_lock(cells->mutex);
    level_zero_cell *cell = cells->first;
    if (cell) {
        /* Takes the cell unused for longest: the longer a cell lies unused, the more misuse is
         * found. */
        cells->first = cell->next;
        if (!cells->first)
            cells->last = NULL;
        if (cells->has_timestamps)
            status = check_unused(cells, cell);
    } else {
        status = make_cell(cells, &cell);
    }
    kt_mutex_unlock(cells->mutex);
    if (status != KT_OK)
        return status;
    if (cell->timestamps)
        memset(cell->timestamps, 0, LEVEL_ZERO_CELL_BYTES);
    cell->taken = true;
    cell->timestamp_count = 0;
    cell->signals = false;
    *out = cell;
    return KT_OK;
}

void kt_level_zero_cell_give(level_zero_cells *cells, level_zero_cell *cell)
{
    if (ZE_CODE(cells->base->api, zeEventHostReset, cell->event) != ZE_RESULT_SUCCESS)
        return; /* the pool destroys the event */
    kt_mutex_lock(cells->mutex);
    cell->taken = false;
    cell->next = NULL;
    if (cells->last)
        cells->last->next = cell;
    else
        cells->first = cell;
    cells->last = cell;
    kt_mutex_unlock(cells->mutex);
}
