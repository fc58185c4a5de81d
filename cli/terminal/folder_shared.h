/* SPDX-License-Identifier: MIT */
/* folder_shared.h - what folder.c and folder_shared.c share. */
#ifndef CLI_FOLDER_SHARED_H
#define CLI_FOLDER_SHARED_H

#include "cli/terminal/folder.h"

/* Creates a folder below `parent` whose name begins with `name`. Returns 0, or -1 with errno set. */
int folder_create_below(char path[FOLDER_BYTES], const char *parent, const char *name);

#endif
