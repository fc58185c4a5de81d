/* ruler.h - how fine a device's clock really is, and what that says of a job. */
#ifndef KT_MEASURE_RULER_H
#define KT_MEASURE_RULER_H

#include <kerntime/device.h>
#include <kerntime/job.h>
#include <stdint.h>

/* Measures the ruler of the device unless that has been done. */
kt_status kt_ruler_ensure(kt_device *device, int64_t timeout_ns);

/* What the device's ruler, once it has one, says of this job, whose stamps may be of the clock of
 * copies: why they are not believed, or NULL, ... */
const char *kt_job_distrust(const kt_job *job);
/* ... and their floor. */
double kt_job_floor_ns(const kt_job *job);

#endif
