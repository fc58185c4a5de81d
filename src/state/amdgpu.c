#include "state/state.h"

static bool open_amdgpu(void *source, const kt_device_info *info, const char *root)
{
    (void)source, (void)info, (void)root;
    return false;
}

static void read_amdgpu(void *source, bool brief, kt_device_state *out)
{
    (void)source, (void)brief, (void)out;
}

const kt_state_source kt_state_amdgpu = {
    .name = "amdgpu", .size = 1, .open = open_amdgpu, .read = read_amdgpu};
