/* SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include <string.h>

const cli_command commands[] = {
    {"devices", "", "Lists devices and their clocks, and what is missing and why.", cmd_devices,
     DEVICES, NULL},
    {"doctor", "", "Measures the clocks: which numbers to trust, and which not.", cmd_doctor,
     DOCTOR, NULL},
    {"bench", "WORKLOAD...", "Times kernels: device time, wall time, speed-up over one core.",
     cmd_bench, BENCH, NULL},
    {"copy", "", "Times copies between kinds of memory: latency and bandwidth.", cmd_copy, COPY,
     NULL},
    {"run", "FILE[:KERNEL]...", "Times kernels of your own files, and tells the fastest variants.",
     cmd_run, RUN, NULL},
    {"trace", "PROGRAM [ARG]...", "Runs a program, and times all its kernels and copies.",
     cmd_trace, TRACE, NULL},
    {"compare", "BASELINE CONTENDER", "Tells what changed between result files, and how surely.",
     cmd_compare, COMPARE, "RESULT"},
    {"convert", "RESULT", "Writes a result file in other formats; without options, as a table.",
     cmd_convert, CONVERT, NULL},
    {"fleet", "FILE|FOLDER...", "Tells which devices of many are slow, from their result files.",
     cmd_fleet, FLEET, NULL},
    {0},
};

const cli_command *command_find(const char *name)
{
    for (const cli_command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}
