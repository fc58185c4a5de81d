/* SPDX-License-Identifier: MIT */
#include "backends/template/internal.h"

/* Compile desc->source, which lives only during this call, with desc->build_flags. KT_BUILD_FAILED
 * with the compiler's log: it does not compile. KT_INVALID: it has no kernel desc->entry. */
kt_status kt_template_program_init(void *program, void *device, const kt_program_desc *desc)
{
    (void)device;
    ((template_program *)program)->function = desc->function;
    return KT_OK;
}
