/* SPDX-License-Identifier: MIT */
/* same_text.h - compares strings that may be NULL. */
#ifndef KT_SUPPORT_SAME_TEXT_H
#define KT_SUPPORT_SAME_TEXT_H

#include <stdbool.h>
#include <string.h>

/* Whether two strings are equal. NULL equals only NULL. */
static inline bool kt_same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

#endif
