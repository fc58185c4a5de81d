/* SPDX-License-Identifier: MIT */
/* wait.c - waits for a stream with a time limit. cuStreamSynchronize has none, so the stream is
 * polled. */
#include "backends/cuda_hip/internal.h"
#include "support/host_clock.h"

/* Polls the stream without a pause, as drivers wait by default: a pause would lengthen every wall
 * time. So one core is busy until the end or the time limit. On HIP the first cuStreamQuery puts a
 * marker behind the work, unless an event ends it; the marker is part of wall times, too. */
kt_status kt_cuda_wait(const cuda_api *api, cuda_stream stream, int64_t timeout_ns)
{
    int64_t begin_ns = kt_host_now_ns();
    for (;;) {
        cuda_code code = CUDA_CODE(api, cuStreamQuery, stream);
        if (code == CUDA_OK)
            return KT_OK;
        if (code != CUDA_NOT_READY)
            return kt_cuda_fail(api, CUDA_CALL_cuStreamQuery, code);
        if (kt_host_now_ns() - begin_ns >= timeout_ns)
            return kt_fail_timeout(timeout_ns);
    }
}
