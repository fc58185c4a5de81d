/* SPDX-License-Identifier: MIT */
/* state_notes.c - notes on what the devices did meanwhile: throttling, and energy without a number.
 * The measurements of a device share a note. */
#include "output/table/note_list.h"
#include "output/table/tables.h"
#include "report/runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Samples of the measurements of a device in which something happened. */
typedef struct throttled {
    uint64_t kept, left_out, kept_throttled;
    uint32_t reasons, lasting; /* of samples left out; of samples kept */
    double waited_s;
    const char *first;      /* name of the first one */
    uint32_t count, others; /* how many there are, and those in which nothing happened */
} throttled;

static bool begins_measurement(const kt_document *document, uint32_t index)
{
    return index == 0 ||
           !kt_same_measurement(&document->series[index - 1], &document->series[index]);
}

static bool has_left_out(const kt_series *series)
{
    return series->discarded[KT_TIMESTAMP_THROTTLED] > 0;
}

static bool has_kept(const kt_series *series)
{
    return series->state.kept_throttled > 0;
}

static bool is_lasting(const kt_series *series)
{
    return series->state.throttle && !has_kept(series);
}

static void add_series(throttled *sum, const kt_series *series)
{
    const kt_state_summary *state = &series->state;
    if (!state->readings)
        return;
    sum->kept += series->summary.n;
    sum->left_out += series->discarded[KT_TIMESTAMP_THROTTLED];
    sum->kept_throttled += state->kept_throttled;
    sum->reasons |= state->left_out;
    sum->lasting |= state->throttle;
    sum->waited_s += state->waited_s;
}

/* Samples and reasons of all runs of the measurements in one run of which `happened` is true. A
 * series over several runs has the state of one. */
static throttled count_throttled(const kt_document *document, const char *device,
                                 bool (*happened)(const kt_series *))
{
    throttled sum = {0};
    for (uint32_t i = 0; i < document->series_count; i++) {
        const kt_series *series = &document->series[i];
        const kt_runs *runs = kt_runs_of(document, series);
        bool any = false;
        if (!begins_measurement(document, i) || strcmp(series->device, device) != 0)
            continue;
        for (uint32_t run = 0; run < runs->count; run++)
            any |= runs->series[run]->state.readings && happened(runs->series[run]);
        sum.others += !any;
        if (!any)
            continue;
        sum.first = sum.count++ ? sum.first : series->name;
        for (uint32_t run = 0; run < runs->count; run++)
            add_series(&sum, runs->series[run]);
    }
    return sum;
}

/* " of fill/1024 and 2 more"; "" if that is all. */
static const char *which(const throttled *sum, const char *of, char *text, size_t bytes)
{
    char more[32] = "";
    text[0] = '\0';
    if (sum->count > 1)
        snprintf(more, sizeof more, " and %u more", sum->count - 1);
    if (sum->others)
        snprintf(text, bytes, " %s %s%s", of, sum->first, more);
    return text;
}

static void add_throttled(kt_note_list *to, const kt_document *document, const char *device)
{
    char names[KT_THROTTLE_NAMES_BYTES], share[32], text[160], where[300];
    throttled sum = count_throttled(document, device, has_left_out);
    if (sum.count) {
        kt_throttle_names(sum.reasons, names, sizeof names);
        kt_share_text((double)sum.left_out / (double)(sum.left_out + sum.kept), share,
                      sizeof share);
        kt_add_note(to, KT_NOTE_WARNING,
                    (const char *[]){device, ": ", sum.reasons ? names : "core clock",
                                     sum.reasons ? " throttling in " : " over 10 % lower in ",
                                     share, " of samples", which(&sum, "of", where, sizeof where),
                                     ", left out", NULL},
                    NULL);
    }
    sum = count_throttled(document, device, has_kept);
    if (sum.count) {
        kt_throttle_names(sum.lasting, names, sizeof names);
        snprintf(text, sizeof text, ", kept: the device did not recover in %.3g s", sum.waited_s);
        snprintf(share, sizeof share, "%llu", (unsigned long long)sum.kept_throttled);
        kt_add_note(to, KT_NOTE_WARNING,
                    (const char *[]){device, ": ", sum.lasting ? names : "lower core clock",
                                     sum.lasting ? " throttling in " : " in ", share, " samples",
                                     which(&sum, "of", where, sizeof where), text, NULL},
                    NULL);
    }
    sum = count_throttled(document, device, is_lasting);
    if (sum.count)
        kt_add_note(
            to, KT_NOTE_WARNING,
            (const char *[]){device, ": ", kt_throttle_names(sum.lasting, names, sizeof names),
                             " throttling all the time", which(&sum, "in", where, sizeof where),
                             ": times are of the lower clock", NULL},
            NULL);
}

/* Reasons for throttling while the energy was measured, in all runs. */
static uint32_t reasons_of_energy(const kt_document *document, const char *device)
{
    uint32_t reasons = 0;
    for (uint32_t i = 0; i < document->series_count; i++) {
        const kt_runs *runs = kt_runs_of(document, &document->series[i]);
        for (uint32_t run = 0; run < runs->count; run++) {
            const kt_series *series = runs->series[run];
            if (series->energy && strcmp(series->device, device) == 0)
                reasons |= series->energy->throttle;
        }
    }
    return reasons;
}

static void add_energy(kt_note_list *to, const kt_document *document, const char *device)
{
    char names[KT_THROTTLE_NAMES_BYTES];
    uint32_t reasons = reasons_of_energy(document, device);
    if (reasons)
        kt_add_note(to, KT_NOTE_WARNING,
                    (const char *[]){device, ": ENERGY is of a device that was throttled: ",
                                     kt_throttle_names(reasons, names, sizeof names), NULL},
                    NULL);
}

/* Whether an earlier measurement of the device has no energy for the same reason. */
static bool is_said(const kt_document *document, uint32_t index)
{
    const kt_series *series = &document->series[index];
    for (uint32_t i = 0; i < index; i++) {
        const kt_series *earlier = &document->series[i];
        if (earlier->energy && earlier->energy->reason &&
            strcmp(earlier->device, series->device) == 0 &&
            strcmp(earlier->energy->reason, series->energy->reason) == 0)
            return true;
    }
    return false;
}

void kt_add_state_notes(const kt_document *document, kt_note_list *list)
{
    for (uint32_t i = 0; i < document->device_count; i++)
        add_throttled(list, document, document->devices[i].info.id);
    for (uint32_t i = 0; i < document->device_count; i++)
        add_energy(list, document, document->devices[i].info.id);
    for (uint32_t i = 0; i < document->series_count; i++) {
        const kt_series *series = &document->series[i];
        if (series->energy && series->energy->reason && !is_said(document, i))
            kt_add_note(list, KT_NOTE_WARNING,
                        (const char *[]){series->device, ": no energy: ", NULL},
                        series->energy->reason);
    }
}
