/* moment.h - all clocks at one moment: the device's, and those of the host. */
#ifndef CLI_DOCTOR_MOMENT_H
#define CLI_DOCTOR_MOMENT_H

#include <kerntime/clock.h>

typedef struct doctor_moment {
    kt_clock_pair pair; /* on kerntime's host clock; 0 long: nothing could be read */
    /* How far each of the host's clocks is ahead of that, and by what that may be off; below 0:
     * there is none such. */
    int64_t ahead_ns[KT_HOST_DOMAIN_COUNT], error_ns[KT_HOST_DOMAIN_COUNT];
} doctor_moment;

/* Reads the host's clocks. */
void doctor_moment_read_host(doctor_moment *moment);

/* The pair on the clock of that name, or on kerntime's host clock if there is none such: "" is no
 * name. The host adjusts the rate of some, and a device's clock that is one of these follows it. */
kt_clock_pair doctor_moment_pair(const doctor_moment *moment, const char *domain);

#endif
