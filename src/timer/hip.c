/* HIP: timers in the program's own streams. */
#include "support/options.h"
#include "timer/streams.h"

#include <kerntime/native/hip.h>

kt_status kt_native_import_hip(const kt_hip_import *desc, kt_native **out)
{
    kt_hip_import given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_hip_import");
    if (status != KT_OK)
        return status;
    return kt_native_import_stream(&kt_backend_hip, KT_BACKEND_HIP, &given, given.spans_max,
                                   given.stream, out);
}

kt_status kt_native_add_hip_stream(kt_native *native, struct ihipStream_t *stream)
{
    return kt_native_add_stream(&kt_backend_hip, native, stream);
}
