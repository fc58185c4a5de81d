/* SPDX-License-Identifier: MIT */
#include "support/device_state.h"

#include <math.h>
#include <stdbool.h>

static const struct {
    double least, most;
} ranges[] = {
#define RANGE(ID, key, label, least, most) {least, most},
    KT_STATE_VALUES_(RANGE)
#undef RANGE
};

void kt_state_clear(kt_device_state *out)
{
    *out = (kt_device_state){0};
    for (int i = 0; i < KT_STATE_VALUE_COUNT; i++)
        out->value[i] = NAN;
}

void kt_state_set(kt_device_state *out, kt_state_value value, double number)
{
    if (out->reading[value] == KT_READING_OK)
        return;
    bool valid = number >= ranges[value].least && number <= ranges[value].most;
    out->reading[value] = valid ? KT_READING_OK : KT_READING_INVALID;
    out->value[value] = valid ? number : NAN;
}

void kt_state_miss(kt_device_state *out, kt_state_value value, kt_reading reading)
{
    if (out->reading[value] == KT_READING_UNSUPPORTED)
        out->reading[value] = reading;
}

void kt_state_put(kt_device_state *out, kt_state_value value, kt_reading reading, double number)
{
    if (reading == KT_READING_OK)
        kt_state_set(out, value, number);
    else
        kt_state_miss(out, value, reading);
}
