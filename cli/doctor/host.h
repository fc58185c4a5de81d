/* host.h - what two readings of the host say of others on it. Pure. */
#ifndef CLI_DOCTOR_HOST_H
#define CLI_DOCTOR_HOST_H

#include <kerntime/host.h>
#include <stdbool.h>

typedef struct doctor_background {
    double others;  /* cores that were busy with the work of others, on average; NaN: not known */
    double load;    /* load average of the minute before; NaN: not known */
    uint32_t cores; /* of the machine; 0: not known */
    bool busy;      /* so much that times vary with it */
} doctor_background;

doctor_background doctor_judge_background(const kt_host_state *before, const kt_host_state *after);

/* Whether a governor holds the cores at one frequency. */
bool doctor_governor_holds(const char *governor);

#endif
