#include "state/state.h"

static bool open_nvml(void *source, const kt_device_info *info, const char *root)
{
    (void)source, (void)info, (void)root;
    return false;
}

static void read_nvml(void *source, bool brief, kt_device_state *out)
{
    (void)source, (void)brief, (void)out;
}

const kt_state_source kt_state_nvml = {
    .name = "NVML", .size = 1, .open = open_nvml, .read = read_nvml};
