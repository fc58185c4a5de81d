/* same_text.h - comparing texts that may be missing. */
#ifndef KT_SUPPORT_SAME_TEXT_H
#define KT_SUPPORT_SAME_TEXT_H

#include <stdbool.h>
#include <string.h>

/* Either may be NULL, which equals only itself. */
static inline bool kt_same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

#endif
