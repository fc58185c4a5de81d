#define _DEFAULT_SOURCE /* mkdtemp, dirfd, unlinkat */
#define _DARWIN_C_SOURCE
#include "cli/terminal/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int create_below(char path[FOLDER_BYTES], const char *parent)
{
    int length = snprintf(path, FOLDER_BYTES, "%s/kerntime-XXXXXX", parent);
    if (length < FOLDER_BYTES)
        return mkdtemp(path) ? 0 : -1;
    errno = ENAMETOOLONG;
    return -1;
}

int folder_create(char path[FOLDER_BYTES])
{
    const char *parent = getenv("TMPDIR");
    return create_below(path, parent && *parent ? parent : "/tmp");
}

static bool has_room(const char *parent, uint64_t bytes)
{
    struct statvfs room;
    return *parent == '/' && statvfs(parent, &room) == 0 &&
           (uint64_t)room.f_bavail * room.f_frsize >= bytes;
}

int folder_create_in_memory(char path[FOLDER_BYTES], uint64_t bytes)
{
    const char *parent = getenv("TMPDIR");
    const char *const parents[] = {"/dev/shm", parent ? parent : "/tmp", "/tmp"};
    for (size_t i = 0; i < sizeof parents / sizeof parents[0]; i++)
        if (has_room(parents[i], bytes) && create_below(path, parents[i]) == 0)
            return 0;
    errno = ENOSPC;
    return -1;
}

void *folder_map(const char *folder, const char *name, size_t bytes)
{
    char path[FOLDER_BYTES + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return NULL;
    /* Reserves the space: writing to a page without would end the process. */
    int error = posix_fallocate(file, 0, (off_t)bytes);
    void *map = MAP_FAILED;
    if (!error) {
        map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        error = map == MAP_FAILED ? errno : 0;
    }
    close(file);
    errno = error;
    return error ? NULL : map;
}

void folder_unmap(void *map, size_t bytes)
{
    munmap(map, bytes);
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
