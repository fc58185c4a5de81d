/* Metal: its row, until there is more of it. */
#include "../../backend.h"

static kt_status lib_init(void *lib, uint32_t *device_count)
{
    (void)lib, (void)device_count;
    return kt_fail(KT_UNAVAILABLE, "Metal is a part of macOS");
}

const kt_backend kt_backend_metal = {.name = "metal", .title = "Metal", .lib_init = lib_init};
