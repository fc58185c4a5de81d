/* CUDA: timers in the program's own streams. */
#include "support/options.h"
#include "timer/streams.h"

#include <kerntime/native/cuda.h>

kt_status kt_native_import_cuda(const kt_cuda_import *desc, kt_native **out)
{
    kt_cuda_import given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_cuda_import");
    if (status != KT_OK)
        return status;
    return kt_native_import_stream(&kt_backend_cuda, KT_BACKEND_CUDA, &given, given.spans_max,
                                   given.stream, out);
}

kt_status kt_native_add_cuda_stream(kt_native *native, struct CUstream_st *stream)
{
    return kt_native_add_stream(&kt_backend_cuda, native, stream);
}
