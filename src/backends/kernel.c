/* SPDX-License-Identifier: MIT */
#include "backends/kernel.h"

#include "support/alloc.h"
#include "support/keep.h"

kt_parameter *kt_reflect_parameters(kt_reflection *reflection, uint32_t count)
{
    kt_parameter *parameters =
        kt_keep(&reflection->kept, &reflection->kept_count, kt_alloc(count, sizeof(kt_parameter)));
    if (!parameters)
        return NULL;
    reflection->info.parameters = parameters;
    reflection->info.parameter_count = count;
    reflection->info.has_parameters = 1;
    return parameters;
}

kt_status kt_check_local(const kt_backend_step *step, const char *entry, uint64_t declared,
                         uint64_t most)
{
    uint64_t given = step->local_bytes;
    if (given == 0 || most == 0 || (declared <= most && given <= most - declared))
        return KT_OK;
    return kt_fail(KT_LIMIT,
                   "kernel %s gets %llu bytes of local memory beside %llu of its own; the device "
                   "has %llu a group",
                   entry, (unsigned long long)given, (unsigned long long)declared,
                   (unsigned long long)most);
}
