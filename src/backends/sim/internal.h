/* internal.h - the state of a simulated device. */
#ifndef KT_SIM_INTERNAL_H
#define KT_SIM_INTERNAL_H

#include "backend.h"
#include "backends/sim/scenario.h"
#include "support/thread.h"

typedef struct sim_device {
    kt_sim_scenario scenario;
    _Atomic(uint64_t) calls; /* driver calls so far, for fail=N; some are made without the lock */
    kt_mutex *mutex;         /* guards all below; jobs may run on different threads */
    double now_ns;           /* the virtual host clock; moves only as things are done */
    double free_ns;          /* when the device will have finished what it was given */
    uint64_t random;         /* state of the generator */
    uint64_t pair_random;    /* of pairs of clocks: with or without them, kernels take as long */
    uint64_t submissions;    /* of jobs that do something, for hang=N and wrong=N */
    bool result_wrong;       /* of the latest submission */
    uint64_t contents;       /* changes whenever the content of any memory may have changed */
} sim_device;

typedef struct sim_memory {
    sim_device *device;
    unsigned char *bytes;
    size_t size;
} sim_memory;

typedef struct sim_program {
    kt_c_kernel function;
} sim_program;

/* What the job last did to one of its memories, so that it need not be computed again. */
typedef struct sim_effect {
    const sim_memory *memory;
    unsigned char *before, *after;
    bool changed;
} sim_effect;

typedef struct sim_job {
    sim_device *device;
    const kt_backend_job *desc;
    kt_stamp *stamps;    /* of the latest stamped submission, per step */
    void **args;         /* room for the arguments of the step that has most */
    uint64_t contents;   /* of the device, after this job last ran */
    sim_effect *effects; /* of a job with kernels, one for each memory; NULL: not remembered */
    uint32_t effect_count;
    uint32_t remembered; /* trials that the effects are of; 0: none yet */
    bool hangs;          /* the latest submission never completes */
} sim_job;

/* The start of every slot that stands for a driver call: fails the one that the scenario says. */
kt_status sim_call(sim_device *device, const char *call);

/* Next random number. The lock must be held. */
uint64_t sim_random(sim_device *device);
/* Skewed, mean 0, standard deviation 1. The lock must be held. */
double sim_noise(sim_device *device);
/* What the device's counter shows at a moment of the host's virtual clock. */
uint64_t sim_ticks(const sim_device *device, double at_ns);

kt_status sim_device_info(void *lib, uint32_t index, const char *scenario, kt_device_info *info);
kt_status sim_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                          const kt_device_info *info, const kt_host_clock *host);
void sim_device_fini(void *device);
void sim_device_run(void *device, uint32_t run);
void sim_device_host_clock(void *device, kt_host_clock *host);
kt_status sim_clock_pair(void *device, uint32_t clock, kt_clock_pair *pair);

kt_status sim_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes);
void sim_memory_fini(void *memory);
kt_status sim_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                          int64_t timeout_ns);
kt_status sim_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                           int64_t timeout_ns);

kt_status sim_program_init(void *program, void *device, const kt_program_desc *desc);

kt_status sim_job_init(void *job, void *device, const kt_backend_job *desc);
void sim_job_fini(void *job);
kt_status sim_job_submit(void *job, bool stamped, uint32_t trials);
kt_status sim_job_wait(void *job, int64_t timeout_ns);
kt_status sim_job_read(void *job, kt_stamp *stamps);

#endif
