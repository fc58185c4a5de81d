/* scenario.h - what a simulated device does, from text: "period_ns=52.083333,bits=32,seed=7". */
#ifndef KT_SIM_SCENARIO_H
#define KT_SIM_SCENARIO_H

#include <kerntime/status.h>
#include <stdint.h>

typedef struct kt_sim_scenario {
    double period_ns;
    uint64_t bits, start;
    double drift_ppm;
    double grid_ns, floor_ns;
    double kernel_ns;
    double gap_ns; /* between two steps; below 0: they overlap */
    double copy_gbs, latency_ns;
    double jitter_ns, jitter_share; /* of each duration; the share is of the duration itself */
    double pair_jitter_ns;
    double pair_place;           /* of the device's reading within a pair, 0 to 1; NaN: anywhere */
    double zero, negative, lost; /* share of stamps so spoilt */
    double reset_ms;             /* 0: never */
    uint64_t fail, hang, wrong;  /* 0: never */
    uint64_t period_told, bits_told, pairs; /* 1: as a driver that has them; 0: it does not say */
    uint64_t seed;
} kt_sim_scenario;

/* NULL or "" is the default device. KT_INVALID names the key and what it takes. */
kt_status kt_sim_scenario_parse(const char *text, kt_sim_scenario *out);

#endif
