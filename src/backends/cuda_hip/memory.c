/* SPDX-License-Identifier: MIT */
#include "backends/cuda_hip/internal.h"
#include "backends/transfer.h"
#include "support/alloc.h"

#include <string.h>

static cuda_address address_of(const void *memory)
{
    return (cuda_address)(uintptr_t)memory;
}

/* Checks that the device has this much free memory. Drivers grant more managed memory than the
 * device has, and then move it to and from the host. */
static kt_status check_free(const cuda_api *api, size_t bytes)
{
    size_t free_bytes = 0, total_bytes = 0;
    kt_status status = CUDA_DO(api, cuMemGetInfo, &free_bytes, &total_bytes);
    if (status == KT_OK && bytes > free_bytes)
        status =
            kt_fail(KT_NO_MEMORY, "%zu bytes are more than the %zu that are free on the device",
                    bytes, free_bytes);
    return status;
}

/* Allocates a memory with the driver, in an entered thread. */
static kt_status allocate(cuda_memory *m, size_t bytes)
{
    const cuda_api *api = m->device->api;
    if (m->kind == KT_MEMORY_HOST) {
        kt_status status =
            CUDA_DO(api, cuMemHostAlloc, &m->host, bytes, CUDA_HOST_PORTABLE | CUDA_HOST_MAPPED);
        m->address = address_of(m->host); /* one address for host and device since CUDA 4 */
        return status;
    }
    kt_status status = check_free(api, bytes);
    if (status != KT_OK)
        return status;
    return m->kind == KT_MEMORY_SHARED
               ? CUDA_DO(api, cuMemAllocManaged, &m->address, bytes, CUDA_ATTACH_GLOBAL)
               : CUDA_DO(api, cuMemAlloc, &m->address, bytes);
}

kt_status kt_cuda_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes)
{
    cuda_memory *m = memory;
    m->device = device;
    m->kind = kind;
    if (kind == KT_MEMORY_HEAP) {
        m->host = kt_alloc_aligned(KT_HEAP_ALIGNMENT, bytes);
        m->address = address_of(m->host);
        return m->host ? KT_OK : KT_NO_MEMORY;
    }
    cuda_scope scope;
    kt_status status = cuda_device_enter(m->device, &scope);
    if (status == KT_OK)
        status = allocate(m, bytes);
    kt_cuda_leave(&scope);
    return status;
}

void kt_cuda_memory_fini(void *memory)
{
    cuda_memory *m = memory;
    if (m->kind == KT_MEMORY_HEAP)
        kt_free(m->host);
    if (m->kind == KT_MEMORY_HEAP || !m->address)
        return;
    cuda_scope scope;
    cuda_device_enter_to_end(m->device, &scope);
    if (m->kind == KT_MEMORY_HOST)
        m->device->api->cuMemFreeHost(m->host);
    else
        m->device->api->cuMemFree(m->address);
    kt_cuda_leave(&scope);
}

/* If a copy's source or destination is heap memory, which is not pinned, the driver copies with the
 * calling thread's help. The call returns when the copy has ended and has no time limit. A job with
 * such a copy behind a kernel that never ends hangs in its submission. */
kt_status kt_cuda_copy(const cuda_api *api, cuda_address to, cuda_address from, size_t bytes,
                       cuda_stream stream)
{
    if (api->kind == CUDA_KIND_CUDA)
        return CUDA_DO(api, cuMemcpyAsync, to, from, bytes, stream);
    /* HIP's addresses are pointers. NOLINTBEGIN(performance-no-int-to-ptr) */
    void *end = (void *)to;
    const void *begin = (const void *)from;
    /* NOLINTEND(performance-no-int-to-ptr) */
    return CUDA_DO(api, hipMemcpyAsync, end, begin, bytes, HIP_COPY_DEFAULT, stream);
}

/* ---- transfers ---- */

#define STAGING_BYTES ((size_t)4 << 20)

void kt_cuda_staging_fini(cuda_device *device)
{
    if (device->staging)
        device->api->cuMemFreeHost(device->staging);
}

/* Transfers device memory through pinned memory, because kt_cuda_copy() has no time limit with unpinned
 * memory. */
static kt_status copy_piece(const void *memory, size_t offset, char *out, const char *in,
                            size_t bytes, int64_t timeout_ns)
{
    const cuda_memory *m = memory;
    cuda_device *d = m->device;
    cuda_address address = m->address + offset, staging = address_of(d->staging);
    if (in)
        memcpy(d->staging, in, bytes);
    kt_status status =
        kt_cuda_copy(d->api, in ? address : staging, in ? staging : address, bytes, d->stream);
    if (status == KT_OK)
        status = kt_cuda_wait(d->api, d->stream, timeout_ns);
    if (status == KT_OK && out)
        memcpy(out, d->staging, bytes);
    return status;
}

static const kt_transfer pieces = {
    .piece_bytes = STAGING_BYTES, .word_bytes = 1, .copy = copy_piece};

/* Transfers memory that the host can never access, or not while kernels run. */
static kt_status transfer(const cuda_memory *m, size_t offset, char *out, const char *in,
                          size_t bytes, int64_t timeout_ns)
{
    cuda_device *d = m->device;
    cuda_scope scope;
    kt_status status = cuda_device_enter(d, &scope);
    if (status == KT_OK && !d->staging)
        status = CUDA_DO(d->api, cuMemHostAlloc, &d->staging, STAGING_BYTES, CUDA_HOST_PORTABLE);
    if (status == KT_OK && !d->staging)
        status = kt_fail(KT_DRIVER_ERROR, "%s succeeded and gave no memory",
                         kt_cuda_call_name(d->api, CUDA_CALL_cuMemHostAlloc));
    if (status == KT_OK)
        status = kt_transfer_run(&pieces, m, offset, out, in, bytes, timeout_ns);
    kt_cuda_leave(&scope);
    return status;
}

kt_status kt_cuda_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                              int64_t timeout_ns)
{
    const cuda_memory *m = memory;
    if (!m->host)
        return transfer(m, offset, data, NULL, bytes, timeout_ns);
    memcpy(data, (const char *)m->host + offset, bytes);
    return KT_OK;
}

kt_status kt_cuda_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                               int64_t timeout_ns)
{
    const cuda_memory *m = memory;
    if (!m->host)
        return transfer(m, offset, NULL, data, bytes, timeout_ns);
    memcpy((char *)m->host + offset, data, bytes);
    return KT_OK;
}
