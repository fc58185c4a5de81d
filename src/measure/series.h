/* series.h - makes the public result from samples. */
#ifndef KT_MEASURE_SERIES_H
#define KT_MEASURE_SERIES_H

#include "measure/samples.h"

/* True if the step is a copy, by whatever means. */
bool kt_is_copy_step(const kt_step *step);

/* Makes the public result. `status`: how the measurement ended, with its sentence in the thread's
 * error text. */
kt_status kt_samples_to_result(kt_samples *samples, kt_status status, kt_result **out);

#endif
