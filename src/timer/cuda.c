/* SPDX-License-Identifier: MIT */
/* cuda.c - entry points of CUDA: timers in streams of the program. */
#include "support/options.h"
#include "timer/streams.h"

#include <kerntime/timer/cuda.h>

kt_status kt_timer_context_import_cuda(const kt_cuda_import *desc, kt_timer_context **out)
{
    kt_cuda_import given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_cuda_import");
    if (status != KT_OK)
        return status;
    return kt_timer_context_import_stream(&kt_backend_cuda, KT_BACKEND_CUDA, &given,
                                          given.spans_max, given.stream, out);
}

kt_status kt_timer_context_add_cuda_stream(kt_timer_context *context, struct CUstream_st *stream)
{
    return kt_timer_context_add_stream(&kt_backend_cuda, context, stream);
}
