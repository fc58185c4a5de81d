/* result.h - what a measurement ends in: the series of one job on one device. */
#ifndef KT_MEASURE_RESULT_H
#define KT_MEASURE_RESULT_H

#include <kerntime/result.h>
#include <stdint.h>

struct kt_result {
    kt_series *series;
    uint32_t series_count;
    void **copies; /* what the series point to */
    uint32_t copy_count;
};

#endif
