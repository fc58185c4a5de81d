/* SPDX-License-Identifier: MIT */
/* empty.h - consecutive empty submissions. */
#ifndef CLI_DOCTOR_EMPTY_H
#define CLI_DOCTOR_EMPTY_H

#include "cli/doctor/doctor.h"

/* A job with one empty step, named "empty". */
kt_status doctor_empty_create(doctor *d, kt_job **out);
/* Takes `samples` samples of the job as fast as possible and keeps all timestamps. `rest` sets
 * further options. */
kt_status doctor_empty_measure(doctor *d, kt_job *job, uint32_t samples,
                               const kt_measure_options *rest, kt_result **out);
/* Index of the device clock of the timestamps in `result`. */
uint32_t doctor_clock_of(const kt_device_info *info, const kt_result *result);

#endif
