/* The CPU: timers on the host's clock. */
#include "support/host_clock.h"
#include "timer/native.h"

#include <kerntime/native/cpu.h>
#include <math.h>
#include <stdio.h>

kt_status kt_native_import_cpu(kt_native **out)
{
    kt_native *native = NULL;
    kt_status status = kt_native_create(KT_BACKEND_CPU, 0, &native);
    if (status != KT_OK)
        return status;
    native->clocks[0] = (kt_clock_info){.name = "host",
                                        .method = KT_METHOD_HOST_WALL,
                                        .period_ns = 1,
                                        .period_uncertainty_ns = NAN,
                                        .frequency_hz = NAN,
                                        .valid_bits = 64,
                                        .uncertainty_ns = 0,
                                        .period_source = KT_SOURCE_TOLD,
                                        .relation_source = KT_SOURCE_TOLD};
    snprintf(native->clocks[0].domain, sizeof native->clocks[0].domain, "%s",
             kt_system_clock_name());
    *out = native;
    return KT_OK;
}
