/* read_parts.h - the parts of a result file, each read into a report by a function of its own
 * (read_result.c). */
#ifndef CLI_READ_PARTS_H
#define CLI_READ_PARTS_H

#include "cli/result_file/read_json.h"

#include <float.h>
#include <kerntime/kerntime.h>

/* Limits of numbers. */
#define ANY      (-DBL_MAX)
#define ABOVE_0  DBL_TRUE_MIN
#define ANY_SIZE SIZE_MAX

/* The words that the library knows, as functions of one type. */
#define WORDS_OF(type)                             \
    static const char *type##_word(int value)      \
    {                                              \
        return kt_##type##_name((kt_##type)value); \
    }

/* Refuses what the library does not take, with its sentence. */
void read_check(json_reader *r, kt_status status);

/* Each of the object that was entered. */
void read_device(json_reader *r, kt_report *report);
void read_finding(json_reader *r, kt_report *report);
void read_series(json_reader *r, kt_report *report);
void read_baseline(json_reader *r, kt_report *report);

#endif
