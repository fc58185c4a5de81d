/* SPDX-License-Identifier: MIT */
/* geometry.h - work-items and groups of a configuration: pure arithmetic. */
#ifndef CLI_RUN_GEOMETRY_H
#define CLI_RUN_GEOMETRY_H

#include "cli/run/launch.h"

/* Most work-items of a group whose size nobody gave. */
#define GEOMETRY_GROUP_ITEMS 256

typedef struct geometry_request {
    /* As configuration has them; 0: not given. */
    int64_t global[3], groups[3], local[3];
    uint64_t n;
    uint32_t dimensions;   /* that the kernel asks for, at most 3; 0: unknown */
    uint32_t fixed[3];     /* group size that the kernel requires; 0: the host chooses */
    uint32_t suggested[3]; /* group size that the kernel's text has as a default; 0: none */
    uint32_t multiple;     /* group sizes are best a multiple of this; 0: unknown */
    uint32_t device_max;   /* most work-items of a group; 0: unknown */
    uint32_t kernel_max;   /* likewise, of this kernel; 0: unknown */
    /* The kernel knows n, so that its last group may have more work-items than are needed. */
    bool knows_n;
    const char *device; /* id, for messages */
} geometry_request;

typedef struct geometry {
    uint32_t local[3], groups[3];
    int64_t global[3];
    bool is_local_guessed, is_global_guessed;
} geometry;

/* Decides what was not given. Returns OUTCOME_OK, or another outcome with a sentence. */
launch_outcome geometry_decide(const geometry_request *request, geometry *out,
                               char reason[LAUNCH_REASON_BYTES]);

/* "16 x 8" of three counts, without those of 1 at the end. */
void geometry_text(const int64_t counts[3], char *text, size_t bytes);

#endif
