/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* mkdtemp, dirfd, unlinkat */
#define _DARWIN_C_SOURCE
#include "cli/terminal/folder.h"

#include "cli/terminal/folder_shared.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __wasi__
#include "cli/terminal/wasi/posix.h"
#endif

int folder_create_below(char path[FOLDER_BYTES], const char *parent, const char *name)
{
    int length = snprintf(path, FOLDER_BYTES, "%s/%sXXXXXX", parent, name);
    if (length < FOLDER_BYTES)
        return mkdtemp(path) ? 0 : -1;
    errno = ENAMETOOLONG;
    return -1;
}

int folder_create(char path[FOLDER_BYTES])
{
    const char *parent = getenv("TMPDIR");
    return folder_create_below(path, parent && *parent ? parent : "/tmp", "kerntime-");
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

/* A folder, or what a reader may wait for without an end, such as a named pipe. */
static bool is_special(DIR *folder, const char *name)
{
    struct stat about;
    return fstatat(dirfd(folder), name, &about, 0) == 0 && !S_ISREG(about.st_mode);
}

int folder_list(const char *path, void (*take)(void *user, const char *name), void *user)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    if (!folder)
        return errno == ENOTDIR ? FOLDER_NONE : FOLDER_FAILED;
    /* `take` may set errno, too. */
    while (errno = 0, (entry = readdir(folder)) != NULL)
        if (!is_special(folder, entry->d_name))
            take(user, entry->d_name);
    int error = errno;
    closedir(folder);
    errno = error;
    return error ? FOLDER_FAILED : FOLDER_LISTED;
}

bool folder_file_is(const char *path, char id[FILE_ID_BYTES])
{
    struct stat about;
    if (stat(path, &about) != 0)
        return false;
    snprintf(id, FILE_ID_BYTES, "%ju/%ju", (uintmax_t)about.st_dev, (uintmax_t)about.st_ino);
    return true;
}

int folder_present(char path[FOLDER_BYTES])
{
    return getcwd(path, FOLDER_BYTES) ? 0 : -1;
}

bool folder_is_new(const char *path)
{
    struct stat about;
    return lstat(path, &about) != 0 && errno == ENOENT;
}
