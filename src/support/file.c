/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_CLOEXEC, realpath, fchmod, flockfile */
#include "support/file.h"

#include "support/alloc.h"
#include "support/error.h"
#include "support/fault.h"
#include "support/random.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __wasi__
#include "support/wasi/posix.h"
#endif

/* Unbuffered: the buffer of a stream would be written twice if the process forked and both exited. */
struct kt_file {
    char *name;      /* path as given, for messages */
    char *path;      /* final path, symbolic links resolved */
    char *temporary; /* path of the temporary file; NULL if `path` is written directly */
    int descriptor;
    int error; /* errno of the first failure */
};

/* The errno of the first failure counts. */
static void note(kt_file *file, int error)
{
    if (!file->error)
        file->error = error ? error : EIO;
}

static void file_free(kt_file *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    kt_free(file->temporary);
    kt_free(file->path);
    kt_free(file->name);
    kt_free(file);
}

static kt_status cannot_write(const char *path, int error)
{
    return kt_fail(error == ENOMEM ? KT_NO_MEMORY : KT_IO_ERROR, "cannot write %s: %s", path,
                   strerror(error));
}

/* Opens a new file beside the final one. The system applies the process's umask to it. */
static int open_temporary(kt_file *file, const struct stat *old)
{
    char id[KT_RANDOM_ID_BYTES] = ""; /* without random numbers, O_EXCL refuses a second writer */
    kt_random_id(id);
    size_t bytes = strlen(file->path) + 1 + sizeof id;
    file->temporary = kt_alloc(bytes, 1);
    if (!file->temporary) {
        errno = ENOMEM;
        return -1;
    }
    snprintf(file->temporary, bytes, "%s.%s", file->path, id);
    int descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        kt_free(file->temporary); /* there is nothing to remove */
        file->temporary = NULL;
        return -1;
    }
    /* Some network file systems refuse fchmod(); the content still counts. */
    int refused = old ? fchmod(descriptor, old->st_mode & 0777) : 0;
    (void)refused;
    return descriptor;
}

/* Joins the folder of `path`, without links, and its last name. NULL with errno: out of memory, or
 * there is no such folder. */
static char *resolve_folder(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = kt_copy_text(slash ? path : ".");
    if (!folder) {
        errno = ENOMEM;
        return NULL;
    }
    if (slash)
        folder[slash > path ? slash - path : 1] = '\0';
    char *real = realpath(folder, NULL);
    kt_free(folder);
    if (!real)
        return NULL;
    size_t bytes = strlen(real) + 1 + strlen(name) + 1;
    char *joined = kt_alloc(bytes, 1);
    if (joined)
        snprintf(joined, bytes, "%s/%s", strcmp(real, "/") == 0 ? "" : real, name);
    else
        errno = ENOMEM;
    free(real);
    return joined;
}

/* Entries of these folders are files that a process has open, such as /dev/stdout. They are written
 * to, never replaced. `path` has no links but its last name. */
static bool names_open_file(const char *path)
{
    static const char *const folders[] = {"/proc/[0-9]*/fd/*", "/proc/[0-9]*/task/[0-9]*/fd/*",
                                          "/dev/fd/*"};
    bool found = false;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        found |= fnmatch(folders[i], path, FNM_PATHNAME) == 0;
    return found;
}

#define LINKS_MAX 40 /* as Linux follows */

/* Follows symbolic links, so that a link stays a link even if nothing is there yet, up to the name
 * of an open file. NULL with errno. */
static char *resolve(const char *path)
{
    char target[PATH_MAX];
    char *at = resolve_folder(path);
    for (int links = 0; at && links < LINKS_MAX && !names_open_file(at); links++) {
        ssize_t length = readlink(at, target, sizeof target - 1);
        if (length < 0) /* no link, or nothing there */
            break;
        target[length] = '\0';
        if (target[0] != '/') { /* relative to the folder of the link */
            size_t folder = (size_t)(strrchr(at, '/') + 1 - at);
            if (folder + (size_t)length >= sizeof target) {
                kt_free(at);
                errno = ENAMETOOLONG;
                return NULL;
            }
            memmove(target + folder, target, (size_t)length + 1);
            memcpy(target, at, folder);
        }
        kt_free(at);
        at = resolve_folder(target);
    }
    return at;
}

/* Opens what is written: the place itself if it is no regular file, else a temporary file. */
static int open_file(kt_file *file)
{
    file->path = resolve(file->name);
    if (!file->path)
        return -1;
    struct stat old;
    bool exists = stat(file->path, &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    /* Renaming would replace a read-only file against its owner's wish. */
    if (exists && access(file->path, W_OK) != 0)
        return -1;
    if (exists && (!S_ISREG(old.st_mode) || names_open_file(file->path)))
        return open(file->path, O_WRONLY | O_APPEND | O_CLOEXEC);
    return open_temporary(file, exists ? &old : NULL);
}

kt_status kt_file_create(const char *path, kt_file **out)
{
    if (!*path) /* the temporary file could be created, but never renamed */
        return cannot_write("a file without a name", ENOENT);
    kt_file *file = kt_alloc(1, sizeof *file);
    if (!file)
        return KT_NO_MEMORY;
    file->name = kt_copy_text(path);
    errno = ENOMEM;
    file->descriptor = file->name ? open_file(file) : -1;
    if (file->descriptor < 0) {
        int error = errno;
        file_free(file);
        return cannot_write(path, error);
    }
    *out = file;
    return KT_OK;
}

kt_status kt_file_check(const char *path)
{
    /* A pipe is not opened for the check: closing it would end the reader. */
    struct stat old;
    if (stat(path, &old) == 0 && !S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode))
        return access(path, W_OK) == 0 ? KT_OK : cannot_write(path, errno);
    kt_file *file;
    kt_status status = kt_file_create(path, &file);
    if (status == KT_OK)
        kt_file_abandon(file);
    return status;
}

bool kt_file_is_same(const char *one, const char *other)
{
    struct stat a, b;
    if (stat(one, &a) == 0 && stat(other, &b) == 0)
        return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    char *first = resolve(one), *second = resolve(other);
    bool same = first && second && strcmp(first, second) == 0;
    kt_free(first);
    kt_free(second);
    return same;
}

/* Writes all bytes. False with errno. */
static bool write_all(int descriptor, const char *data, size_t bytes)
{
    while (bytes) {
        ssize_t written = write(descriptor, data, bytes);
        if (written < 0 && errno != EINTR)
            return false;
        data += written > 0 ? written : 0;
        bytes -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

int kt_file_write(kt_file *file, const char *data, size_t bytes)
{
    if (file->error)
        return -1;
    if (kt_fault(KT_FAULT_WRITE, "write"))
        note(file, ENOSPC);
    else if (!write_all(file->descriptor, data, bytes))
        note(file, errno);
    return file->error ? -1 : 0;
}

static void close_and_sync(kt_file *file)
{
    /* Without fsync() a machine crash could leave the new name with no content. */
    if (!file->error && file->temporary && fsync(file->descriptor) != 0)
        note(file, errno);
    if (close(file->descriptor) != 0)
        note(file, errno);
    file->descriptor = -1;
}

/* Copies the complete temporary file into the old one. False with errno. */
static bool copy_over(const kt_file *file)
{
    char part[16384];
    int from = open(file->temporary, O_RDONLY | O_CLOEXEC);
    int to = from < 0 ? -1 : open(file->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    ssize_t bytes = to < 0 ? -1 : 1;
    while (bytes > 0) {
        bytes = read(from, part, sizeof part);
        if (bytes > 0 && !write_all(to, part, (size_t)bytes))
            bytes = -1;
    }
    bool done = bytes == 0 && fsync(to) == 0;
    int error = errno;
    if (from >= 0)
        close(from);
    if (to >= 0 && close(to) != 0 && done)
        return false;
    errno = error;
    return done;
}

/* Some files may be written to but not renamed over: a bind mount, another user's file in a sticky
 * folder. */
static bool move(const kt_file *file)
{
    if (kt_fault(KT_FAULT_WRITE, "rename")) {
        errno = EIO;
        return false;
    }
    if (rename(file->temporary, file->path) == 0)
        return true;
    int error = errno;
    bool may_copy = error == EBUSY || error == EPERM || error == EACCES || error == EXDEV;
    if (may_copy && access(file->path, W_OK) == 0) {
        if (!copy_over(file))
            return false;
        unlink(file->temporary);
        return true;
    }
    errno = error;
    return false;
}

kt_status kt_file_commit(kt_file *file)
{
    close_and_sync(file);
    if (!file->error && file->temporary && !move(file))
        note(file, errno);
    kt_status status = KT_OK;
    if (file->error) {
        status = cannot_write(file->name, file->error);
        if (file->temporary)
            unlink(file->temporary);
    }
    file_free(file);
    return status;
}

void kt_file_abandon(kt_file *file)
{
    if (!file)
        return;
    if (file->temporary)
        unlink(file->temporary);
    file_free(file);
}

static int write_to_file(void *user, const char *data, size_t bytes)
{
    return kt_file_write(user, data, bytes);
}

kt_status kt_file_write_whole(const char *path,
                              kt_status (*write)(const void *document, int format,
                                                 const kt_sink *sink),
                              const void *document, int format)
{
    kt_file *file;
    kt_status status = kt_file_create(path, &file);
    if (status != KT_OK)
        return status;
    const kt_sink sink = {.write = write_to_file, .user = file};
    status = write(document, format, &sink);
    if (status != KT_OK && status != KT_IO_ERROR) {
        kt_file_abandon(file);
        return status;
    }
    return kt_file_commit(file); /* after a failed write, removes the file and reports the reason */
}

char *kt_file_absolute(const char *path)
{
    char folder[PATH_MAX];
    if (path[0] == '/' || !getcwd(folder, sizeof folder))
        return kt_copy_text(path);
    size_t bytes = strlen(folder) + 1 + strlen(path) + 1;
    char *joined = kt_alloc(bytes, 1);
    if (joined)
        snprintf(joined, bytes, "%s/%s", folder, path);
    return joined;
}

int kt_stream_write(int stream, const char *data, size_t bytes)
{
    if (stream == KT_STREAM_OUTPUT && ftrylockfile(stdout) == 0) {
        fflush(stdout);
        funlockfile(stdout);
    }
    return write_all(stream, data, bytes) ? 0 : -1;
}
