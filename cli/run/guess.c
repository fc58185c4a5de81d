/* SPDX-License-Identifier: MIT */
#include "cli/run/guess.h"

#include <stdio.h>

/* Room for an element of unknown size: that of a double, so that none is too short. */
#define UNKNOWN_BYTES 8
/* Integers that a kernel may write are random, so that a copy of 0, 1, 2 ... changes them. They stay
 * below n, as they may be indices. */
#define WHOLE_MAX 99

element_type guess_element(const parameter *p)
{
    element_type element = p->element;
    /* Whatever has a name of a type, but is no scalar or vector, is a structure. */
    if (element.scalar == SCALAR_UNKNOWN && element.stride == 0)
        element = (element_type){SCALAR_FLOAT, 4, UNKNOWN_BYTES / 4, UNKNOWN_BYTES};
    return element;
}

void guess_content(const parameter *p, uint64_t n, specification *out)
{
    scalar_kind scalar = p->kind == PARAMETER_BUFFER ? guess_element(p).scalar : p->element.scalar;
    *out = (specification){.kind = SPECIFICATION_ZEROS};
    if (p->kind == PARAMETER_BUFFER) {
        bool is_whole = scalar == SCALAR_SIGNED || scalar == SCALAR_UNSIGNED;
        double most = n - 1 < WHOLE_MAX ? (double)(n - 1) : WHOLE_MAX;
        if (is_whole && p->is_read_only) {
            out->kind = SPECIFICATION_IOTA;
        } else if (scalar == SCALAR_FLOAT || (is_whole && most > 0)) {
            out->kind = SPECIFICATION_RANDOM;
            out->high = is_whole ? most : 1;
        }
    } else if (scalar != SCALAR_UNKNOWN) {
        out->kind = SPECIFICATION_FILL;
        out->numbers[0] = parameter_is_count(p) ? (double)n : 1;
        out->number_count = 1;
    }
}

void guess_text(const parameter *p, const specification *spec, char *text, size_t bytes)
{
    switch (spec->kind) {
    case SPECIFICATION_RANDOM: snprintf(text, bytes, "random 0..%.0f", spec->high); break;
    case SPECIFICATION_IOTA: snprintf(text, bytes, "0, 1, 2 ..."); break;
    case SPECIFICATION_FILL:
        snprintf(text, bytes, p->element.scalar == SCALAR_FLOAT ? "%.1f" : "%.0f",
                 spec->numbers[0]);
        break;
    default: snprintf(text, bytes, "zeros"); break;
    }
}

const char *guess_larger(const parameter *p, uint64_t n)
{
    enum { SIDE_MAX = 8192 }; /* a longer side makes a matrix that few devices hold */
    if (p->power > 1)
        return p->power > 2 ? "2*n*n*n" : "2*n*n";
    return n <= SIDE_MAX ? "n*n" : "2*n";
}
