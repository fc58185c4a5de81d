/* empty.h - submissions of nothing, one after another. */
#ifndef CLI_DOCTOR_EMPTY_H
#define CLI_DOCTOR_EMPTY_H

#include "cli/doctor/doctor.h"

/* A job of one empty step, which is named "empty". */
kt_status doctor_empty_create(doctor *d, kt_job **out);
/* Samples it so often, in as little time as that takes, with all stamps kept. What `rest` sets
 * beyond that is taken. */
kt_status doctor_empty_measure(doctor *d, kt_job *job, uint32_t samples,
                               const kt_measure_options *rest, kt_result **out);
/* Which of the device's clocks those stamps are of. */
uint32_t doctor_clock_of(const kt_device_info *info, const kt_result *result);

#endif
