/* SPDX-License-Identifier: MIT */
/* posix.h - what folder.c needs of POSIX and wasi-libc lacks. */
#ifndef CLI_WASI_POSIX_H
#define CLI_WASI_POSIX_H

/* Creates the folder whose name the template makes. Returns NULL with errno set if it exists. */
char *mkdtemp(char *template);

#endif
