/* SPDX-License-Identifier: MIT */
/* folder.h - folders: a private one for files between the processes of one run, and what others hold. */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FOLDER_BYTES 1024

/* Creates a folder that nobody else may enter, below TMPDIR or /tmp. Returns 0, or -1 with errno
 * set. */
int folder_create(char path[FOLDER_BYTES]);
/* A file that processes share, and by whose lock others see that this process lives. */
typedef struct folder_file {
    void *map; /* NULL: none */
    size_t bytes;
    int number;
} folder_file;

/*
 * As folder_create(), in /dev/shm, TMPDIR or /tmp: the first with `bytes` free, else that with the
 * most; the path is absolute. Before, removes such folders whose process was killed: those with a file `name` of
 * folder_share() that nobody has locked. Returns 0, or -1.
 */
int folder_create_shared(char path[FOLDER_BYTES], const char *name, uint64_t bytes);
/* Creates a file in the folder, all 0, maps and locks it. Returns 0, or -1 with errno set. */
int folder_share(const char *folder, const char *name, size_t bytes, folder_file *out);
void folder_unshare(folder_file *file);
/* Removes it with the files in it. */
void folder_remove(const char *path);

/* What folder_list() found. */
enum { FOLDER_LISTED = 0, FOLDER_NONE, FOLDER_FAILED };
/* Calls `take` for each name of a file in a folder, in any order; not for folders, pipes and devices.
 * FOLDER_NONE: it is no folder. FOLDER_FAILED: errno is set. */
int folder_list(const char *path, void (*take)(void *user, const char *name), void *user);

#define FILE_ID_BYTES 48

/* A text that is the same for all paths of one file; false: it cannot be told. */
bool folder_file_is(const char *path, char id[FILE_ID_BYTES]);

/* The present folder, as an absolute path. Returns 0, or -1 with errno set. */
int folder_present(char path[FOLDER_BYTES]);
/* Whether nothing has this name. */
bool folder_is_new(const char *path);

#endif
