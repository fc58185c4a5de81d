/* SPDX-License-Identifier: MIT */
/* state_changes.c - says where the state of a device differs between baseline and contender, so that
 * a slower clock is not taken for a slower kernel. */
#include "output/compare/notes.h"

#include <string.h>

#define DEVICES_MAX 8

/* Compared rows of one device. */
typedef struct group {
    const kt_series_change *first; /* with a changed state */
    int length;                    /* of the device id */
    uint32_t rows, changed;
    bool alike; /* all changes are that of `first` */
} group;

static group *find_group(group *groups, uint32_t count, const kt_series_change *row)
{
    const char *id = kt_compare_series(row)->device;
    int length = kt_compare_device_length(row);
    for (uint32_t i = 0; i < count; i++)
        if (groups[i].length == length &&
            strncmp(kt_compare_series(groups[i].first)->device, id, (size_t)length) == 0)
            return &groups[i];
    return NULL;
}

static uint32_t find_groups(const kt_compare_document *document, group groups[DEVICES_MAX],
                            uint32_t *others)
{
    uint32_t count = 0;
    *others = 0;
    for (uint32_t i = 0; i < document->change_count; i++) {
        const kt_series_change *row = &document->changes[i];
        if (!row->state_change || find_group(groups, count, row))
            continue;
        if (count < DEVICES_MAX)
            groups[count++] = (group){row, kt_compare_device_length(row), 0, 0, true};
        else
            ++*others;
    }
    for (uint32_t i = 0; i < document->change_count; i++) {
        const kt_series_change *row = &document->changes[i];
        group *of = row->change.verdict != KT_VERDICT_NONE ? find_group(groups, count, row) : NULL;
        if (!of)
            continue;
        of->rows++;
        of->changed += row->state_change != NULL;
        of->alike &= !row->state_change || strcmp(row->state_change, of->first->state_change) == 0;
    }
    return count;
}

static void add_group(const kt_compare_notes *to, const group *of)
{
    kt_begin_note(to->list);
    kt_putf_note(to->list, "state of %.*s differs", of->length,
                 kt_compare_series(of->first)->device);
    if (of->changed < of->rows || !of->alike)
        kt_putf_note(to->list, " in %u of %u rows", of->changed, of->rows);
    kt_put_note(to->list, ", which may be all that changed: ");
    kt_put_note(to->list, of->first->state_change);
    if (!of->alike)
        kt_put_note(to->list, " in the first of them");
    kt_end_note(to->list, KT_NOTE_WARNING);
}

void kt_add_state_changes(const kt_compare_notes *to)
{
    group groups[DEVICES_MAX];
    uint32_t others, count = find_groups(to->document, groups, &others);
    for (uint32_t i = 0; i < count; i++)
        add_group(to, &groups[i]);
    if (!others)
        return;
    kt_begin_note(to->list);
    kt_putf_note(to->list, "the state of more devices differs in %u row%s: --json has all", others,
                 others == 1 ? "" : "s");
    kt_end_note(to->list, KT_NOTE_WARNING);
}

void kt_put_state_changes(const kt_compare_notes *to, kt_verdict verdict)
{
    uint32_t rows = 0, changed = 0;
    for (uint32_t i = 0; i < to->document->change_count; i++) {
        const kt_series_change *row = &to->document->changes[i];
        rows += row->change.verdict == verdict;
        changed += row->change.verdict == verdict && row->state_change;
    }
    if (changed)
        kt_putf_note(to->list, " (the device's state differs in %u of %u %s row%s)", changed, rows,
                     kt_verdict_text(verdict), rows == 1 ? "" : "s");
}
