/* result.h - the result of a measurement: the series of one job on one device. */
#ifndef KT_MEASURE_RESULT_H
#define KT_MEASURE_RESULT_H

#include <kerntime/result.h>
#include <stdint.h>

struct kt_result {
    kt_series *series;
    uint32_t series_count;
    void **copies; /* allocated arrays to which the series point */
    uint32_t copy_count;
};

#endif
