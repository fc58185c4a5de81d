/* series.h - the public result, made of samples. */
#ifndef KT_MEASURE_SERIES_H
#define KT_MEASURE_SERIES_H

#include "measure/samples.h"

/* Whether it is a copy, by whatever means. */
bool kt_is_copy_step(const kt_step *step);

/* The public result. `status` is how the measurement ended; its sentence is this thread's error
 * text. */
kt_status kt_samples_to_result(kt_samples *samples, kt_status status, kt_result **out);

#endif
