/* SPDX-License-Identifier: MIT */
#include "state/state.h"

#include "support/alloc.h"
#include "support/dl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const kt_state_source *const sources[] = {&kt_state_nvml, &kt_state_amdgpu, &kt_state_intel,
                                                 &kt_state_sysman, &kt_state_cpu};

#define SOURCE_COUNT (sizeof sources / sizeof sources[0])

struct kt_state_reader {
    void *opened[SOURCE_COUNT]; /* private memory; NULL: the source does not know the device */
    size_t energy_source;       /* whose counter energy_j is, plus 1; 0: none yet */
    double energy_j;            /* latest reading */
};

static void close_source(kt_state_reader *reader, size_t index)
{
    if (reader->opened[index] && sources[index]->close)
        sources[index]->close(reader->opened[index]);
    kt_free(reader->opened[index]);
    reader->opened[index] = NULL;
}

kt_status kt_state_reader_open(const kt_device_info *info, const char *root, kt_state_reader **out)
{
    if (!root)
        root = kt_environment("KERNTIME_SYSFS");
    kt_state_reader *reader = kt_alloc(1, sizeof *reader);
    if (!reader)
        return KT_NO_MEMORY;
    for (size_t i = 0; i < SOURCE_COUNT; i++) {
        reader->opened[i] = kt_alloc(1, sources[i]->size);
        if (!reader->opened[i]) {
            kt_state_reader_close(&reader);
            return KT_NO_MEMORY;
        }
        if (!sources[i]->open(reader->opened[i], info, root ? root : "/sys"))
            close_source(reader, i);
    }
    *out = reader;
    return KT_OK;
}

void kt_state_reader_close(kt_state_reader **reader)
{
    if (!*reader)
        return;
    for (size_t i = 0; i < SOURCE_COUNT; i++)
        close_source(*reader, i);
    kt_free(*reader);
    *reader = NULL;
}

static size_t known_count(const kt_device_state *state)
{
    size_t count = 0;
    for (int i = 0; i < KT_STATE_VALUE_COUNT; i++)
        count += state->reading[i] == KT_READING_OK;
    return count;
}

/* Two readings of a counter give an energy, so one that went back, or is of another source than the
 * one before, is invalid. The next one counts from there. */
static void check_energy(kt_state_reader *reader, size_t source, kt_device_state *out)
{
    double energy_j = out->value[KT_STATE_ENERGY];
    if (out->reading[KT_STATE_ENERGY] != KT_READING_OK)
        return;
    if (reader->energy_source && (source != reader->energy_source || energy_j < reader->energy_j)) {
        out->reading[KT_STATE_ENERGY] = KT_READING_INVALID;
        out->value[KT_STATE_ENERGY] = NAN;
    }
    reader->energy_source = source;
    reader->energy_j = energy_j;
}

void kt_state_reader_read(kt_state_reader *reader, bool brief, uint64_t *seen, kt_device_state *out)
{
    size_t energy_source = 0;
    kt_state_clear(out);
    for (size_t i = 0; i < SOURCE_COUNT; i++) {
        size_t before = known_count(out), used = strlen(out->source);
        if (!reader->opened[i])
            continue;
        sources[i]->read(reader->opened[i], brief, seen, out);
        if (!energy_source && out->reading[KT_STATE_ENERGY] == KT_READING_OK)
            energy_source = i + 1;
        if (out->reading[KT_STATE_ENERGY] == KT_READING_ASLEEP)
            break; /* all of it sleeps, and the next source might wake it */
        if (known_count(out) > before)
            snprintf(out->source + used, sizeof out->source - used, "%s%s", used ? ", " : "",
                     sources[i]->name);
    }
    check_energy(reader, energy_source, out);
}
