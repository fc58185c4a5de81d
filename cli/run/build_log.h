/* SPDX-License-Identifier: MIT */
/* build_log.h - reads what compilers say of a kernel. */
#ifndef CLI_RUN_BUILD_LOG_H
#define CLI_RUN_BUILD_LOG_H

#include <stdbool.h>

#define BUILD_LOG_WORD_BYTES 64

/* The first name that a compiler's log calls undefined: often a -D that is missing. False: none. */
bool build_log_undefined(const char *log, char word[BUILD_LOG_WORD_BYTES]);

#endif
