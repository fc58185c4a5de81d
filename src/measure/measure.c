/*
 * measure.c - measures one job alone, or several jobs in turns.
 *
 * The turns go back and forth (A B C, C B A, A B C ...), so that slow changes affect all jobs
 * alike: in every two passes, the turns of each job have the same mean time.
 */
#include "measure/measurement.h"
#include "measure/series.h"
#include "support/alloc.h"

#include <stdio.h>

typedef struct participant {
    kt_measure_item *item;
    kt_measurement measurement;
    bool active;
} participant;

/* Makes the result now, while the thread's error text is still that of this measurement. */
static void end(participant *p, kt_status status)
{
    if (kt_samples_to_result(&p->measurement.samples, status, &p->item->result) != KT_OK)
        status = KT_NO_MEMORY;
    p->item->status = status;
    p->active = false;
    kt_measurement_fini(&p->measurement);
}

static void note_error(kt_measure_item *item)
{
    snprintf(item->error, sizeof item->error, "%s", item->status == KT_OK ? "" : kt_error_text());
}

/* All traces of one device share one set of clocks. */
static void share_clocks(participant *participants, uint32_t index)
{
    kt_measurement *own = &participants[index].measurement;
    for (uint32_t i = 0; i < index && !own->tracing.followed; i++)
        if (own->tracing.trace && participants[i].active &&
            participants[i].measurement.device == own->device)
            kt_tracing_share(&own->tracing, &participants[i].measurement.tracing);
}

static void begin(participant *participants, uint32_t index)
{
    participant *p = &participants[index];
    kt_measure_item *item = p->item;
    item->result = NULL;
    item->status = kt_measurement_init(&p->measurement, item->job, item->options);
    if (item->status != KT_OK) {
        kt_measurement_fini(&p->measurement);
    } else {
        share_clocks(participants, index);
        p->active = true;
        kt_status status = kt_measurement_begin(&p->measurement);
        if (status != KT_OK)
            end(p, status);
    }
    note_error(item);
}

static void take_turn(participant *p, bool resumed)
{
    kt_status status = kt_measurement_turn(&p->measurement, resumed);
    if (status == KT_OK && p->measurement.samples.stop == KT_STOP_NONE)
        return;
    end(p, status);
    note_error(p->item);
}

static void measure(participant *participants, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        begin(participants, i);
    const participant *last = count ? &participants[count - 1] : NULL; /* latest to have a turn */
    bool any = true;
    for (bool back = false; any; back = !back) {
        any = false;
        for (uint32_t i = 0; i < count; i++) {
            participant *p = &participants[back ? count - 1 - i : i];
            if (!p->active)
                continue;
            take_turn(p, p != last);
            last = p;
            any |= p->active;
        }
    }
}

kt_status kt_measure(kt_job *job, const kt_measure_options *options, kt_result **out)
{
    kt_measure_item item = {.job = job, .options = options};
    participant alone = {.item = &item};
    measure(&alone, 1);
    *out = item.result;
    return item.status;
}

kt_status kt_measure_all(kt_measure_item *items, uint32_t count)
{
    participant *participants = kt_alloc(count, sizeof *participants);
    for (uint32_t i = 0; i < count; i++) {
        items[i].result = NULL;
        items[i].status = KT_NO_MEMORY;
        note_error(&items[i]);
        if (participants)
            participants[i].item = &items[i];
    }
    if (participants)
        measure(participants, count);
    kt_free(participants);
    uint32_t first = 0;
    while (first < count && items[first].status == KT_OK)
        first++;
    if (first == count)
        return participants ? KT_OK : KT_NO_MEMORY;
    /* A later job may have failed, too, and changed the error text. */
    return count == 1 ? items[0].status : kt_fail(items[first].status, "%s", items[first].error);
}
