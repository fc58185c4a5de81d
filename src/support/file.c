#define _GNU_SOURCE /* O_CLOEXEC, mkstemp, fchmod */
#include "support/file.h"

#include "support/alloc.h"
#include "support/error.h"
#include "support/fault.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct kt_file {
    char *path;      /* final path, symbolic links resolved */
    char *temporary; /* path of the temporary file; NULL if `path` is written directly */
    FILE *stream;
    int error; /* errno of the first failure */
};

static void file_free(kt_file *file)
{
    if (file->stream)
        fclose(file->stream);
    kt_free(file->temporary);
    kt_free(file->path);
    kt_free(file);
}

static kt_status cannot_write(const char *path, int error)
{
    return kt_fail(error == ENOMEM ? KT_NO_MEMORY : KT_IO_ERROR, "cannot write %s: %s", path,
                   strerror(error));
}

/* Permissions of the replaced file, or the default of a new file. */
static mode_t wanted_mode(const char *path)
{
    struct stat old;
    if (stat(path, &old) == 0)
        return old.st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static int open_temporary(kt_file *file)
{
    static const char suffix[] = ".XXXXXX";
    size_t bytes = strlen(file->path) + sizeof suffix;
    file->temporary = kt_alloc(bytes, 1);
    if (!file->temporary) {
        file->error = ENOMEM;
        return -1;
    }
    snprintf(file->temporary, bytes, "%s%s", file->path, suffix);
    int descriptor = mkostemp(file->temporary, O_CLOEXEC);
    if (descriptor < 0) {
        file->error = errno;
        return -1;
    }
    /* Some network file systems refuse fchmod(); the content still counts. */
    int refused = fchmod(descriptor, wanted_mode(file->path));
    (void)refused;
    return descriptor;
}

/* Resolves symbolic links, so that a link stays a link. A path that does not exist yet is returned
 * as it is. */
static char *resolve(const char *path)
{
    char *real = realpath(path, NULL);
    char *copy = kt_copy_text(real ? real : path);
    free(real);
    return copy;
}

/* /dev/stdout and similar paths name open descriptors, which are written to, never replaced. */
static bool names_open_file(const char *path)
{
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
}

kt_status kt_file_create(const char *path, kt_file **out)
{
    if (!*path) /* the temporary file could be created, but never renamed */
        return cannot_write("a file without a name", ENOENT);
    kt_file *file = kt_alloc(1, sizeof *file);
    if (!file)
        return KT_NO_MEMORY;
    file->path = resolve(path);
    if (!file->path) {
        file_free(file);
        return KT_NO_MEMORY;
    }
    struct stat old;
    bool exists = stat(file->path, &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) {
        file_free(file);
        return cannot_write(path, EISDIR);
    }
    /* Renaming would replace a read-only file against its owner's wish. */
    bool forbidden = exists && access(file->path, W_OK) != 0;
    int descriptor = -1;
    if (forbidden)
        file->error = errno;
    else if (exists && (!S_ISREG(old.st_mode) || names_open_file(path)))
        descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    else
        descriptor = open_temporary(file);
    if (descriptor >= 0)
        file->stream = fdopen(descriptor, "wb");
    if (!file->stream) {
        int error = file->error ? file->error : errno;
        if (descriptor >= 0) {
            close(descriptor);
            if (file->temporary)
                unlink(file->temporary);
        }
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

int kt_file_write(kt_file *file, const char *data, size_t bytes)
{
    if (file->error)
        return -1;
    if (kt_fault(KT_FAULT_WRITE, "fwrite")) {
        file->error = ENOSPC;
        return -1;
    }
    if (fwrite(data, 1, bytes, file->stream) == bytes)
        return 0;
    file->error = errno ? errno : EIO;
    return -1;
}

static void close_and_sync(kt_file *file)
{
    int failed = fflush(file->stream);
    /* Without fsync() a machine crash could leave the new name with no content. */
    if (!failed && file->temporary)
        failed = fsync(fileno(file->stream));
    if (failed && !file->error)
        file->error = errno;
    if (fclose(file->stream) != 0 && !file->error)
        file->error = errno;
    file->stream = NULL;
}

kt_status kt_file_commit(kt_file *file)
{
    close_and_sync(file);
    if (!file->error && kt_fault(KT_FAULT_WRITE, "rename"))
        file->error = EXDEV;
    if (!file->error && file->temporary && rename(file->temporary, file->path) != 0)
        file->error = errno;
    kt_status status = KT_OK;
    if (file->error) {
        status = cannot_write(file->path, file->error);
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
