/* SPDX-License-Identifier: MIT */
/* scenario.h - parses the scenario of a simulated device: "period_ns=52.083333,bits=32,seed=7". */
#ifndef KT_SIM_SCENARIO_H
#define KT_SIM_SCENARIO_H

#include <kerntime/status.h>
#include <stdint.h>

#define KT_SIM_PCI_BY_INDEX 256
/* A device that throttles does so at the end of each such time, for its share. */
#define KT_SIM_HEAT_NS 100e6
/* Clock of a throttled device over its usual one. */
#define KT_SIM_THROTTLED_CLOCK 0.5

typedef struct kt_sim_scenario {
    double period_ns;
    uint64_t bits, start;
    double drift_ppm;
    double resolution_ns, min_span_ns;
    double host_resolution_ns; /* readings of the host clock are rounded down to multiples */
    double kernel_ns;
    double gap_ns; /* time between two steps; steps overlap if it is below 0 */
    double copy_gbs, latency_ns;
    double jitter_ns, jitter_share; /* noise of each duration, in ns and as a share of it */
    double calibration_jitter_ns;
    double calibration_place;    /* of the device's reading in a clock pair, 0 to 1; NaN: random */
    double zero, negative, lost; /* shares of timestamps that are 0, negative or lost */
    double reset_ms;             /* ms between two resets of the counter; 0: never reset */
    uint64_t fail, hang, wrong;  /* number of the call or submission with this fault; 0: never */
    uint64_t period_reported, bits_reported, pairs; /* 1: the driver reports this; 0: it does not */
    uint64_t seed;
    uint64_t uuid;         /* number of the device behind its UUID; 0: the scenario's text */
    double clock_mhz;      /* core clock, 0: not reported */
    double throttled;      /* share of each KT_SIM_HEAT_NS in which the device is hot and slow */
    double power_w;        /* power while it works, 0: not reported; a quarter of it while idle */
    double energy_step_ms; /* update period of the energy counter, 0: there is none */
    uint64_t pci;          /* number of the PCI bus; KT_SIM_PCI_BY_INDEX */
} kt_sim_scenario;

/* Parses a scenario; NULL or "" gives the defaults. KT_INVALID names the key and its range. */
kt_status kt_sim_scenario_parse(const char *text, kt_sim_scenario *out);

#endif
