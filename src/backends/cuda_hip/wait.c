/* Waiting with a time limit: cuStreamSynchronize knows none, so the stream is asked. */
#include "backends/cuda_hip/internal.h"
#include "support/host_clock.h"

/*
 * Without a pause, as the driver itself waits if nothing else is said: it would be in every wall
 * time. So one core is at work until the end, or for the whole time limit. On HIP the first
 * question puts a marker behind the work, unless an event ends it, and that is in wall times, too.
 */
kt_status cuda_wait(const cuda_api *api, cuda_stream stream, int64_t timeout_ns)
{
    int64_t begin_ns = kt_host_now_ns();
    for (;;) {
        cuda_code code = CUDA_CODE(api, cuStreamQuery, stream);
        if (code == CUDA_OK)
            return KT_OK;
        if (code != CUDA_NOT_READY)
            return cuda_fail(api, CUDA_CALL_cuStreamQuery, code);
        if (kt_host_now_ns() - begin_ns >= timeout_ns)
            return kt_fail_timeout(timeout_ns);
    }
}
