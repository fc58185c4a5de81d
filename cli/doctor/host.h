/* host.h - judges other load on the host from two readings of its state. Pure. */
#ifndef CLI_DOCTOR_HOST_H
#define CLI_DOCTOR_HOST_H

#include <kerntime/host.h>
#include <stdbool.h>

typedef struct doctor_background {
    double others;  /* average number of cores that others kept busy; NaN: unknown */
    double load;    /* load average of the minute before; NaN: unknown */
    uint32_t cores; /* of the machine; 0: unknown */
    bool busy;      /* enough for times to vary */
} doctor_background;

doctor_background doctor_judge_background(const kt_host_state *before, const kt_host_state *after);

/* Whether a governor keeps the cores at one frequency. */
bool doctor_governor_holds(const char *governor);

#endif
