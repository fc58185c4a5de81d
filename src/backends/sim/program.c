/* SPDX-License-Identifier: MIT */
#include "backends/sim/internal.h"

kt_status kt_sim_program_init(void *program, void *device, const kt_program_desc *desc)
{
    sim_program *p = program;
    p->function = desc->function;
    return kt_sim_call(device, "building a kernel");
}
