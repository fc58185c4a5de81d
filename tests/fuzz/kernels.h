/* SPDX-License-Identifier: MIT */
/* kernels.h - what the fuzzers of kernel files share: whatever a file says, what is told of it is
 * in range, and what is refused has a sentence. */
#ifndef FUZZ_KERNELS_H
#define FUZZ_KERNELS_H

#include "cli/kernel_file/kernel_file.h"
#include "fuzz.h"

static inline void check_name(const char *name)
{
    CHECK(memchr(name, '\0', SIGNATURE_NAME_BYTES));
}

static inline void check_element(const element_type *e)
{
    CHECK(e->scalar <= SCALAR_BOOL && e->lanes <= 16);
    CHECK(e->scalar_bytes <= 8 && (e->scalar_bytes & (e->scalar_bytes - 1)) == 0);
    CHECK(!e->lanes == !e->scalar_bytes);
}

static inline void check_signature(const signature *s)
{
    CHECK(s->parameter_count <= SIGNATURE_PARAMETERS_MAX);
    CHECK(s->constant_count <= SIGNATURE_CONSTANTS_MAX);
    check_name(s->entry);
    for (size_t i = 0; i < s->parameter_count; i++) {
        const parameter *p = &s->parameters[i];
        check_name(p->name);
        check_name(p->type);
        check_element(&p->element);
        CHECK(p->kind <= PARAMETER_NOT_SUPPORTED && p->place <= PLACE_PUSH);
        CHECK(p->kind == PARAMETER_VALUE || !p->block_bytes);
    }
    for (size_t i = 0; i < s->constant_count; i++) {
        check_name(s->constants[i].name);
        check_element(&s->constants[i].type);
        CHECK(s->constants[i].value - s->constants[i].value == 0);
    }
    for (int i = 0; i < 3; i++)
        CHECK(s->group_constant[i] >= -1 && s->group_constant[i] < (int)s->constant_count);
}

/* Lists the kernels of a file and looks at each. */
static inline void fuzz_kernels(const kernel_file *file)
{
    static kernel_entries entries;
    static signature told;
    char reason[KERNEL_FILE_REASON_BYTES];
    if (kernel_file_entries(file, &entries, reason) != 0) {
        fuzz_check_sentence(reason, sizeof reason);
        entries.count = 0;
    }
    CHECK(entries.count <= KERNEL_FILE_ENTRIES_MAX);
    for (size_t i = 0; i < entries.count && i < 3; i++) {
        check_name(entries.names[i]);
        if (kernel_file_signature(file, entries.names[i], &told, reason) == 0)
            check_signature(&told);
        else
            fuzz_check_sentence(reason, sizeof reason);
    }
}

#endif
