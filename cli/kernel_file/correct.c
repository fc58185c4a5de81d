/* SPDX-License-Identifier: MIT */
/* correct.c - a built program knows its parameters better than a text without its preprocessor. */
#include "cli/kernel_file/reader.h"

#include <stdio.h>
#include <string.h>

static void put(char out[SIGNATURE_NAME_BYTES], const char *text)
{
    if (text && *text)
        snprintf(out, SIGNATURE_NAME_BYTES, "%s", text);
}

static void correct_kind(parameter *p, const kt_parameter *said)
{
    switch (said->kind) {
    case KT_PARAMETER_BUFFER: p->kind = PARAMETER_BUFFER; break;
    case KT_PARAMETER_VALUE: p->kind = PARAMETER_VALUE; break;
    case KT_PARAMETER_LOCAL: p->kind = PARAMETER_LOCAL; break;
    case KT_PARAMETER_IMAGE:
    case KT_PARAMETER_SAMPLER: p->kind = PARAMETER_NOT_SUPPORTED; break;
    default: break;
    }
}

static void correct_parameter(parameter *p, const kt_parameter *said)
{
    put(p->name, said->name);
    correct_kind(p, said);
    p->is_read_only |= said->is_read_only && p->kind == PARAMETER_BUFFER;
    if (said->type && *said->type) {
        put(p->type, said->type);
        element_type element = type_of_text(said->type, KT_LANGUAGE_OPENCL_C);
        /* What the driver names by a typedef, the text may know. */
        if (element.lanes || !p->element.stride)
            p->element = element;
    }
    if (p->kind == PARAMETER_VALUE && said->bytes && p->element.stride != said->bytes)
        p->element = (element_type){.stride = (uint32_t)said->bytes};
    if (p->kind == PARAMETER_NOT_SUPPORTED && !p->type[0])
        put(p->type, said->kind == KT_PARAMETER_SAMPLER ? "sampler" : "image");
}

/* Local memory that is no parameter: CUDA's, behind all others. */
static size_t keep_shared(const signature *known, size_t from)
{
    size_t kept = 0;
    for (size_t i = from; i < known->parameter_count; i++)
        kept += known->parameters[i].kind == PARAMETER_LOCAL;
    return kept;
}

void signature_correct(signature *known, const kt_program_info *info)
{
    if (info->has_parameters && info->parameter_count <= SIGNATURE_PARAMETERS_MAX) {
        size_t count = info->parameter_count;
        bool fits = known->parameter_count == count ||
                    known->parameter_count == count + keep_shared(known, count);
        if (!fits) { /* the text was misread */
            memset(known->parameters, 0, sizeof known->parameters);
            known->parameter_count = count;
        }
        for (size_t i = 0; i < count && info->parameters; i++)
            correct_parameter(&known->parameters[i], &info->parameters[i]);
    }
    if (info->group_size[0])
        memcpy(known->group_size, info->group_size, sizeof known->group_size);
}
