#include "backends/template/internal.h"

/* Compile desc->source, which lives only during this call, with desc->build_flags. It does not
 * compile: KT_BUILD_FAILED with the compiler's log. It has no kernel desc->entry: KT_INVALID. */
kt_status template_program_init(void *program, void *device, const kt_program_desc *desc)
{
    (void)device;
    ((template_program *)program)->function = desc->function;
    return KT_OK;
}
