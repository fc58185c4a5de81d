/* SPDX-License-Identifier: MIT */
/* result.h - the result of a measurement: the series of one job on one device. */
#ifndef KT_MEASURE_RESULT_H
#define KT_MEASURE_RESULT_H

#include "measure/samples.h"

struct kt_result {
    kt_series *series;
    uint32_t series_count;
    void **copies; /* allocated arrays to which the series point */
    uint32_t copy_count;
};

/* True if the step is a copy, by whatever means. */
bool kt_is_copy_step(const kt_step *step);

/* Makes the public result. `status`: how the measurement ended, with its sentence in the thread's
 * error text. */
kt_status kt_samples_to_result(kt_samples *samples, kt_status status, kt_result **out);

#endif
