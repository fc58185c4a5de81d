/* SPDX-License-Identifier: MIT */
/* suite.h - what all tests of the suite share: the device under test, and what may be skipped on
 * it and why. */
#ifndef SUITE_H
#define SUITE_H

#include "tests/unit/testing.h"

#include <kerntime/kerntime.h>

/* What a driver cannot do. A member that is not NULL is the reason why a test is skipped there. */
typedef struct profile {
    const char *name;
    const char *driver;     /* must be in the driver's text: the right one is being tested */
    const char *no_kernels; /* cannot run kernels that it does not know */
    const char *no_source;  /* takes no source text */
    const char *no_group_limit;
    const char *no_compute_units; /* how many it has is told by nobody */
    bool is_asked; /* its driver, for what its versions differ in (tests/opencl_can.h) */
    const char *no_odd_copies;         /* copies whole words alone, and refuses others */
    const char *no_flushing;           /* of caches */
    uint32_t matmul_max, elements_max; /* larger ones would take too long */
    uint32_t samples;                  /* for tests that look at each of them */
} profile;

typedef struct suite {
    const profile *profile;
    kt_context *context;
    kt_device *device;
    const kt_device_info *info;
    const char *no_programs; /* why there are no kernels for it: what made none, or compiles none */
    const char *no_device_time;
} suite;

extern suite s;

/* Ends the test if there is a reason not to run it here. */
#define SKIP_IF(reason)                             \
    do {                                            \
        if (reason) {                               \
            print_message("skipped: %s\n", reason); \
            skip();                                 \
        }                                           \
    } while (0)

/* A kernel of own_kernels.cl, or of shaders/, in a language of the device. */
kt_program *build(const char *name, kt_c_kernel function);
kt_status build_with(const char *name, kt_c_kernel function, const kt_constant *constants,
                     uint32_t constant_count, kt_program **program);
/* All of own_kernels.cl in OpenCL C, CUDA C, MSL or PTX. */
const char *own_kernels_text(kt_language language);
/* The same in SPIR-V of OpenCL. NULL and 0 in a build without llvm-spirv. */
const uint32_t *own_kernels_words(size_t *bytes);
/* A kernel of shaders/ in SPIR-V: its words and how many bytes they are. NULL and 0 in a build
 * without glslc. */
const uint32_t *find_shader(const char *name, size_t *bytes);
/* The same in WGSL; NULL: there is no such kernel. */
const char *find_wgsl(const char *name);
void texts_in_cuda_c(void);
void texts_in_ptx(void);
/* Memory of a kind with a pattern of bytes that `seed` tells apart. */
kt_memory *make_memory(kt_memory_kind kind, size_t bytes, unsigned char seed);
unsigned char pattern(size_t at, unsigned char seed);
/* Runs a job of these steps without timestamps, a few times over, and checks that it says so. */
kt_status run_steps(const kt_step *steps, uint32_t step_count);

/* Before any driver is opened. */
void find_workloads_that_crash(void);
void info_is_sane(void **state);
void memories_hold_what_is_written(void **state);
void memories_have_ends(void **state);
void offers_are_of_its_kinds(void **state);
void parts_are_copied_between_kinds(void **state);
void maps_that_are_not_offered(void **state);
void each_direction_is_measured(void **state);
void kernels_of_odd_sizes(void **state);
void kernels_in_three_dimensions(void **state);
void kernels_get_parts_of_memories(void **state);
void steps_run_in_order(void **state);
void kernels_are_described(void **state);
void local_memory_is_given(void **state);
void loops_end_by_themselves(void **state);
void programs_that_do_not_compile(void **state);
void arguments_have_places(void **state);
void constants_are_set_when_built(void **state);
void limits_are_reported(void **state);
void workloads_equal_the_cpu(void **state);
void all_workloads_are_compared(void **state);
void every_sample_is_plausible(void **state);
void trials_raise_the_total(void **state);
void timing_gives_the_rows_that_are_asked_for(void **state);

#endif
