#include "cli/commands/commands.h"

#include <string.h>

const cli_command commands[] = {
    {"devices", "",
     "Opens the devices of this machine and lists them, their clocks, and what is missing and why.",
     cmd_devices, DEVICES, NULL},
    {"doctor", "",
     "Measures the clocks themselves: what to trust, and what not; exit code 0 whatever it finds.",
     cmd_doctor, DOCTOR, NULL},
    {"bench", "WORKLOAD...",
     "Times kernels: device time, wall time, and the speed-up over one core.", cmd_bench, BENCH,
     NULL},
    {"copy", "",
     "Times copies between the kinds of memory of each device: latency and bandwidth by size.",
     cmd_copy, COPY, NULL},
    {"compare", "BASE NEW",
     "Tells what changed between result files, and how surely: slower, faster, same or not known.",
     cmd_compare, COMPARE, "RESULT"},
    {0},
};

const cli_command *command_find(const char *name)
{
    for (const cli_command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}
