/* host.h - judges other load on the host from two readings of its state. Pure. */
#ifndef CLI_DOCTOR_HOST_H
#define CLI_DOCTOR_HOST_H

#include <kerntime/host.h>
#include <stdbool.h>

typedef struct doctor_background {
    double others;  /* mean number of cores that other processes kept busy; NaN: unknown */
    double load;    /* load average of the minute before; NaN: unknown */
    uint32_t cores; /* CPU cores of the machine; 0: unknown */
    bool busy;      /* other processes use enough cores to make times vary */
} doctor_background;

doctor_background doctor_judge_background(const kt_host_state *before, const kt_host_state *after);

/* Whether a governor keeps the cores at one frequency. */
bool doctor_governor_holds(const char *governor);

#endif
