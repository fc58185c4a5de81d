#define _DEFAULT_SOURCE /* mkdtemp, dirfd, unlinkat */
#define _DARWIN_C_SOURCE
#include "cli/terminal/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int folder_create(char path[FOLDER_BYTES])
{
    const char *parent = getenv("TMPDIR");
    int length =
        snprintf(path, FOLDER_BYTES, "%s/kerntime-XXXXXX", parent && *parent ? parent : "/tmp");
    if (length < FOLDER_BYTES)
        return mkdtemp(path) ? 0 : -1;
    errno = ENAMETOOLONG;
    return -1;
}

void folder_remove(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    rmdir(path);
}
