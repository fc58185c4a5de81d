/* SPDX-License-Identifier: MIT */
/* options.h - what programs pass: required pointers, and option structs of programs built for an
 * older or newer kerntime. */
#ifndef KT_SUPPORT_OPTIONS_H
#define KT_SUPPORT_OPTIONS_H

#include <kerntime/status.h>
#include <stddef.h>

/*
 * Copies an option struct, whose first member is its own size, into `bytes` bytes at `to`. Members
 * that an older program lacks become 0, the default. NULL gives all defaults. KT_INVALID if the
 * size is not set; KT_UNSUPPORTED if a newer program sets an unknown member.
 */
kt_status kt_take_options(void *to, size_t bytes, const void *from, const char *what);

/* Returns KT_INVALID from a public function, with a sentence, if a pointer it requires is NULL. */
#define KT_NEED(pointer)                   \
    do {                                   \
        if (!(pointer))                    \
            return kt_fail_null(#pointer); \
    } while (0)

/* KT_INVALID, with a sentence that names the parameter. */
kt_status kt_fail_null(const char *parameter);

#endif
