/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* getentropy */
#include "cli/terminal/wasi/posix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void fill(char *template)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    for (char *x = template + strlen(template); x > template && x[-1] == 'X'; x--) {
        unsigned char byte = 0;
        getentropy(&byte, 1);
        x[-1] = letters[byte % (sizeof letters - 1)];
    }
}

char *mkdtemp(char *template)
{
    fill(template);
    return mkdir(template, 0700) == 0 ? template : NULL;
}

FILE *tmpfile(void)
{
    char path[] = "/tmp/kerntime-XXXXXXXX";
    fill(path);
    FILE *file = fopen(path, "w+x");
    if (file)
        unlink(path);
    return file;
}
