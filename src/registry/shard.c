#include "registry/shard.h"

#include "support/alloc.h"
#include "support/host_clock.h"

/* Between two tries to read a bank whose writer was interrupted in the middle of a record. */
#define PAUSE_NS 20000

kt_bank kt_no_bank;

static kt_status make_room(kt_shard *shard, uint32_t row)
{
    if (row < shard->room)
        return KT_OK;
    size_t needed = (size_t)row + 1;
    _Atomic(kt_bank *) *active =
        kt_make_room(shard->active, &shard->active_room, needed, sizeof *active);
    if (!active)
        return KT_NO_MEMORY;
    shard->active = active;
    kt_cell *cells = kt_make_room(shard->cells, &shard->cells_room, needed, sizeof *cells);
    if (!cells)
        return KT_NO_MEMORY;
    shard->cells = cells;
    for (uint32_t i = shard->room; i <= row; i++) {
        atomic_init(&active[i], &kt_no_bank);
        cells[i] = (kt_cell){0};
    }
    shard->room = row + 1;
    return KT_OK;
}

kt_status kt_shard_make_cell(kt_shard *shard, uint32_t row)
{
    if (make_room(shard, row) != KT_OK)
        return KT_NO_MEMORY;
    kt_cell *cell = &shard->cells[row];
    if (cell->banks[0])
        return KT_OK;
    cell->banks[0] = kt_alloc(1, sizeof(kt_bank));
    if (!cell->banks[0])
        return KT_NO_MEMORY;
    atomic_store_explicit(&shard->active[row], cell->banks[0], memory_order_release);
    return KT_OK;
}

/* Adds what bank `which` was read to hold. */
static void add_bank(kt_cell *cell, int which, uint64_t sequence, kt_tally *all,
                     const kt_tally *part)
{
    if (sequence != cell->seen[which])
        cell->newest = which;
    cell->seen[which] = sequence;
    double last = all->last;
    bool is_newest = cell->newest == which || all->count == 0;
    kt_tally_add(all, part);
    if (!is_newest)
        all->last = last;
}

kt_status kt_shard_read(kt_shard *shard, uint32_t row, uint64_t epoch, kt_tally *all,
                        kt_tally *part)
{
    if (row >= shard->room || !shard->cells[row].banks[0])
        return KT_OK;
    uint64_t sequence;
    kt_cell *cell = &shard->cells[row];
    if (!cell->banks[1])
        cell->banks[1] = kt_alloc(1, sizeof(kt_bank));
    if (!cell->banks[1])
        return KT_NO_MEMORY;
    for (int which = 0; which < 2; which++) {
        atomic_store_explicit(&shard->active[row], cell->banks[1 - which], memory_order_release);
        while (!kt_bank_read(cell->banks[which], epoch, part, &sequence))
            kt_system_clock.sleep(kt_system_clock.user, PAUSE_NS);
        add_bank(cell, which, sequence, all, part);
    }
    return KT_OK;
}

void kt_shard_read_own(kt_shard *shard, uint32_t row, uint64_t epoch, kt_tally *all, kt_tally *part)
{
    if (row >= shard->room)
        return;
    uint64_t sequence;
    kt_cell *cell = &shard->cells[row];
    for (int which = 0; which < 2; which++)
        if (cell->banks[which] && kt_bank_read(cell->banks[which], epoch, part, &sequence))
            add_bank(cell, which, sequence, all, part);
}

void kt_shard_free(kt_shard *shard)
{
    for (uint32_t row = 0; row < shard->room; row++)
        for (int which = 0; which < 2; which++)
            kt_free(shard->cells[row].banks[which]);
    kt_free(shard->cells);
    kt_free(shard->active);
    kt_free(shard);
}
