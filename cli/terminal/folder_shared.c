/* SPDX-License-Identifier: MIT */
/* folder_shared.c - folders and files that processes share. */
#define _DEFAULT_SOURCE /* dirfd, flock */
#define _DARWIN_C_SOURCE
#include "cli/terminal/folder_shared.h"

#include "cli/terminal/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define SHARED "kerntime-shared-"

/* True for a folder of ours whose process is gone. */
static bool is_left_behind(const char *folder, const char *name)
{
    char path[FOLDER_BYTES + 64];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = lstat(folder, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == getuid()
                   ? open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
                   : -1;
    bool is_free = file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0;
    if (file >= 0)
        close(file);
    return is_free;
}

static void remove_left_behind(const char *parent, const char *name)
{
    char path[FOLDER_BYTES];
    DIR *folder = opendir(parent);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL)
        if (strncmp(entry->d_name, SHARED, strlen(SHARED)) == 0 &&
            snprintf(path, sizeof path, "%s/%s", parent, entry->d_name) < FOLDER_BYTES &&
            is_left_behind(path, name))
            folder_remove(path);
    if (folder)
        closedir(folder);
}

/* Free bytes; 0: none, or unknown. */
static uint64_t room_in(const char *parent)
{
    struct statvfs room;
    return statvfs(parent, &room) == 0 ? (uint64_t)room.f_bavail * room.f_frsize : 0;
}

int folder_create_shared(char path[FOLDER_BYTES], const char *name, uint64_t bytes)
{
    const char *parent = getenv("TMPDIR");
    const char *const parents[] = {"/dev/shm", parent && *parent == '/' ? parent : "/tmp", "/tmp"};
    uint64_t best = 0;
    errno = ENOSPC;
    for (size_t i = 0; i < sizeof parents / sizeof parents[0] && best < bytes; i++) {
        char other[FOLDER_BYTES];
        uint64_t room = room_in(parents[i]);
        remove_left_behind(parents[i], name);
        if (room <= best || folder_create_below(other, parents[i], SHARED) != 0)
            continue;
        if (best)
            rmdir(path);
        best = room;
        memcpy(path, other, sizeof other);
    }
    return best ? 0 : -1;
}

/* Creates a file. Its number is none of a standard stream that is closed: nobody may print into it. */
static int open_beyond_streams(const char *path)
{
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 || file > STDERR_FILENO)
        return file;
    int other = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(file);
    return other;
}

/* Makes the file under another name and locks it first: others take one without a lock for left
 * behind. */
static int create_locked(const char *folder, const char *name, size_t bytes)
{
    char path[FOLDER_BYTES + 64], whole[FOLDER_BYTES + 64];
    snprintf(path, sizeof path, "%s/.%s", folder, name);
    snprintf(whole, sizeof whole, "%s/%s", folder, name);
    int file = open_beyond_streams(path);
    if (file < 0)
        return -1;
#ifdef __linux__
    /* Reserves the space: writing to a page without would end the process. */
    int error = posix_fallocate(file, 0, (off_t)bytes);
#else
    int error = ftruncate(file, (off_t)bytes) == 0 ? 0 : errno;
#endif
    if (!error && (flock(file, LOCK_EX | LOCK_NB) != 0 || rename(path, whole) != 0))
        error = errno;
    if (!error)
        return file;
    close(file);
    errno = error;
    return -1;
}

int folder_share(const char *folder, const char *name, size_t bytes, folder_file *out)
{
    *out = (folder_file){.bytes = bytes, .number = create_locked(folder, name, bytes)};
    if (out->number < 0)
        return -1;
    void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, out->number, 0);
    if (map != MAP_FAILED) {
        out->map = map;
        return 0;
    }
    int error = errno;
    close(out->number);
    errno = error;
    return -1;
}

void folder_unshare(folder_file *file)
{
    if (!file->map)
        return;
    munmap(file->map, file->bytes);
    close(file->number);
    *file = (folder_file){0};
}
