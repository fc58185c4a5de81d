/* options.h - option structs of programs that were built for an older or a newer kerntime. */
#ifndef KT_SUPPORT_OPTIONS_H
#define KT_SUPPORT_OPTIONS_H

#include <kerntime/status.h>
#include <stddef.h>

/*
 * Copies an option struct, which begins with its own size, into one of `bytes` bytes: what an older
 * program does not have is 0, the default. NULL gives all defaults. KT_INVALID, KT_UNSUPPORTED.
 */
kt_status kt_take_options(void *to, size_t bytes, const void *from, const char *what);

#endif
