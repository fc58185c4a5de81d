/* SPDX-License-Identifier: MIT */
#include "backends/transfer.h"

#include "support/host_clock.h"

#include <string.h>

kt_deadline kt_deadline_begin(int64_t timeout_ns)
{
    return (kt_deadline){.begin_ns = kt_host_now_ns(), .timeout_ns = timeout_ns};
}

int64_t kt_deadline_left_ns(const kt_deadline *deadline)
{
    int64_t left_ns = deadline->timeout_ns - (kt_host_now_ns() - deadline->begin_ns);
    return left_ns > 0 ? left_ns : 0;
}

static kt_status copy(const kt_transfer *transfer, const void *memory, size_t offset, char *out,
                      const char *in, size_t bytes, const kt_deadline *deadline)
{
    int64_t left_ns = kt_deadline_left_ns(deadline);
    return left_ns ? transfer->copy(memory, offset, out, in, bytes, left_ns) : KT_TIMEOUT;
}

/* Transfers bytes within the word at `offset`, after the `skip` first ones. */
static kt_status copy_within_word(const kt_transfer *transfer, const void *memory, size_t offset,
                                  size_t skip, char *out, const char *in, size_t bytes,
                                  const kt_deadline *deadline)
{
    char word[KT_TRANSFER_WORD_MAX];
    kt_status status = copy(transfer, memory, offset, word, NULL, transfer->word_bytes, deadline);
    if (status == KT_OK && out)
        memcpy(out, word + skip, bytes);
    if (status != KT_OK || !in)
        return status;
    memcpy(word + skip, in, bytes);
    return copy(transfer, memory, offset, NULL, word, transfer->word_bytes, deadline);
}

kt_status kt_transfer_run(const kt_transfer *transfer, const void *memory, size_t offset, char *out,
                          const char *in, size_t bytes, int64_t timeout_ns)
{
    const kt_deadline deadline = kt_deadline_begin(timeout_ns);
    const size_t word = transfer->word_bytes;
    kt_status status = KT_OK;
    for (size_t done = 0, part; done < bytes && status == KT_OK; done += part) {
        size_t at = offset + done, skip = at % word;
        char *to = out ? out + done : NULL;
        const char *from = in ? in + done : NULL;
        part = bytes - done;
        if (skip == 0 && part >= word) {
            part = part < transfer->piece_bytes ? part / word * word : transfer->piece_bytes;
            status = copy(transfer, memory, at, to, from, part, &deadline);
        } else {
            part = part < word - skip ? part : word - skip;
            status = copy_within_word(transfer, memory, at - skip, skip, to, from, part, &deadline);
        }
    }
    return status == KT_TIMEOUT ? kt_fail_timeout(timeout_ns) : status;
}
