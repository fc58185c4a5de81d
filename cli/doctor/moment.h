/* SPDX-License-Identifier: MIT */
/* moment.h - reads the device's clock and the host's clocks at one moment. */
#ifndef CLI_DOCTOR_MOMENT_H
#define CLI_DOCTOR_MOMENT_H

#include <kerntime/clock.h>

typedef struct doctor_moment {
    kt_clock_pair pair; /* device and host time of one moment; host width 0: not read */
    /* Offset of each host clock from kerntime's, and its maximum error; error below 0: no such
     * clock. */
    int64_t ahead_ns[KT_HOST_DOMAIN_COUNT], error_ns[KT_HOST_DOMAIN_COUNT];
} doctor_moment;

/* Reads the host's clocks. */
void doctor_moment_read_host(doctor_moment *moment);

/* The pair on the host clock `domain`, or on kerntime's host clock if there is no such clock or
 * `domain` is "". The system adjusts the rate of some clocks, and a device clock identical to one
 * of them follows it. */
kt_clock_pair doctor_moment_pair(const doctor_moment *moment, const char *domain);

#endif
