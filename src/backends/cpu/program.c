/* SPDX-License-Identifier: MIT */
#include "backends/cpu/internal.h"

#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

kt_status kt_cpu_program_init(void *program, void *device, const kt_program_desc *desc)
{
    (void)device;
    ((cpu_program *)program)->function = desc->function;
    return KT_OK;
}

uint32_t kt_cpu_thread_count(void)
{
#ifdef _OPENMP
    return (uint32_t)omp_get_max_threads();
#else
    return 1;
#endif
}

static void run_group(kt_c_kernel function, const kt_backend_step *step, uint64_t index,
                      void *const *args)
{
    kt_c_group group;
    memcpy(group.groups, step->groups, sizeof group.groups);
    memcpy(group.group_size, step->group_size, sizeof group.group_size);
    group.group[0] = (uint32_t)(index % step->groups[0]);
    index /= step->groups[0];
    group.group[1] = (uint32_t)(index % step->groups[1]);
    group.group[2] = (uint32_t)(index / step->groups[1]);
    function(&group, args);
}

void kt_cpu_run_groups(kt_c_kernel function, const kt_backend_step *step, void *const *args)
{
    int64_t count = (int64_t)step->groups[0] * step->groups[1] * step->groups[2];
    if (count == 1) { /* waking a team costs more than most single groups take */
        run_group(function, step, 0, args);
        return;
    }
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (int64_t i = 0; i < count; i++)
        run_group(function, step, (uint64_t)i, args);
}
