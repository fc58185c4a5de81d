#include "backends/sim/internal.h"

kt_status sim_program_init(void *program, void *device, const kt_program_desc *desc)
{
    sim_program *p = program;
    p->function = desc->function;
    return sim_call(device, "building a kernel");
}
