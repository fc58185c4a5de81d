#include "state/state.h"

static bool open_sysman(void *source, const kt_device_info *info, const char *root)
{
    (void)source, (void)info, (void)root;
    return false;
}

static void read_sysman(void *source, bool brief, kt_device_state *out)
{
    (void)source, (void)brief, (void)out;
}

const kt_state_source kt_state_sysman = {
    .name = "Sysman", .size = 1, .open = open_sysman, .read = read_sysman};
