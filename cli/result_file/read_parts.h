/* read_parts.h - reads the parts of a result file into a report, one function each
 * (read_result.c). */
#ifndef CLI_READ_PARTS_H
#define CLI_READ_PARTS_H

#include "cli/result_file/read_json.h"

#include <float.h>
#include <kerntime/kerntime.h>

/* Bounds of numbers. */
#define ANY      (-DBL_MAX)
#define ABOVE_0  DBL_TRUE_MIN
#define ANY_SIZE SIZE_MAX

/* The library's names, as functions of one type. */
#define WORDS_OF(type)                             \
    static const char *type##_word(int value)      \
    {                                              \
        return kt_##type##_name((kt_##type)value); \
    }

/* Refuses what the library rejects, with the library's error text. */
void read_check(json_reader *r, kt_status status);

/* Each reads the current object. */
void read_device(json_reader *r, kt_report *report);
void read_diagnostic(json_reader *r, kt_report *report);
void read_series(json_reader *r, kt_report *report);
void read_baseline(json_reader *r, kt_report *report);

#endif
