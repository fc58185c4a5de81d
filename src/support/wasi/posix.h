/* SPDX-License-Identifier: MIT */
/* posix.h - what file.c needs of POSIX and wasi-libc lacks. */
#ifndef KT_SUPPORT_WASI_POSIX_H
#define KT_SUPPORT_WASI_POSIX_H

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files have no modes. */
static inline int fchmod(int file, mode_t mode)
{
    (void)file, (void)mode;
    return 0;
}

/* There are no links. */
static inline char *realpath(const char *path, char *resolved)
{
    (void)resolved;
    return access(path, F_OK) == 0 ? strdup(path) : NULL;
}

/* There is one thread. */
static inline int ftrylockfile(FILE *stream)
{
    (void)stream;
    return 0;
}

static inline void funlockfile(FILE *stream)
{
    (void)stream;
}

#endif
