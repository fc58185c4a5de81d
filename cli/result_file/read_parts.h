/* SPDX-License-Identifier: MIT */
/* read_parts.h - reads the parts of a result file into a report, one function each
 * (read_result.c). */
#ifndef CLI_READ_PARTS_H
#define CLI_READ_PARTS_H

#include "cli/result_file/read_json.h"

#include <float.h>
#include <kerntime/kerntime.h>

/* Lower bounds of numbers, and the upper bound of list lengths, for the read functions. */
#define ANY      (-DBL_MAX)
#define ABOVE_0  DBL_TRUE_MIN
#define ANY_SIZE SIZE_MAX

/* Wraps a kt_..._name() function of an enum as a function of an int, for read_word(). */
#define WORDS_OF(type)                             \
    static const char *type##_word(int value)      \
    {                                              \
        return kt_##type##_name((kt_##type)value); \
    }

/* Refuses the file if a library call returned an error, with the library's error text. */
void read_check(json_reader *r, kt_status status);

/* Each function reads the current object into the report. */
void read_device(json_reader *r, kt_report *report);
void read_series(json_reader *r, kt_report *report);
void read_baseline(json_reader *r, kt_report *report);

/* Reads a list of kt_throttle_name(); NaN: null. */
double read_throttle(json_reader *r, const char *key);
/* Reads a value, or a mean or an extreme of it, in its range; NaN: null. */
double read_state_value(json_reader *r, const char *key, kt_state_value value);
/* Reads the objects "state" and "energy" of a series. Without them: leaves it as it is; false. */
void read_state_summary(json_reader *r, kt_state_summary *state);
bool read_energy(json_reader *r, kt_energy *energy);

/* Reads the object "host" of the current one. */
void read_host(json_reader *r, kt_report_origin *origin);
/* Reads the object "launch" of the current one, if there is one, into `launch`, which the origin
 * then names. */
void read_launch(json_reader *r, kt_report_origin *origin, kt_launch *launch);

#endif
