#include "state/state.h"

static bool open_cpu(void *source, const kt_device_info *info, const char *root)
{
    (void)source, (void)info, (void)root;
    return false;
}

static void read_cpu(void *source, bool brief, kt_device_state *out)
{
    (void)source, (void)brief, (void)out;
}

const kt_state_source kt_state_cpu = {.name = "cpu", .size = 1, .open = open_cpu, .read = read_cpu};
