/* SPDX-License-Identifier: MIT */
/* device_state.h - fills in a kt_device_state. */
#ifndef KT_SUPPORT_DEVICE_STATE_H
#define KT_SUPPORT_DEVICE_STATE_H

#include <kerntime/state.h>

/* Sets a value unless an earlier source did. One out of its range is KT_READING_INVALID. */
void kt_state_set(kt_device_state *out, kt_state_value value, double number);
/* Records why a value is missing, unless it is known already, or for another reason. */
void kt_state_miss(kt_device_state *out, kt_state_value value, kt_reading reading);
/* Sets a value to `number` if `reading` is KT_READING_OK, else records why it is missing. */
void kt_state_put(kt_device_state *out, kt_state_value value, kt_reading reading, double number);
/* A state of which nothing is known. */
void kt_state_clear(kt_device_state *out);

#endif
