/* folder.h - a private folder for files between the processes of one run. */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include <stddef.h>
#include <stdint.h>

#define FOLDER_BYTES 1024

/* Creates a folder that nobody else may enter, below TMPDIR or /tmp. Returns 0, or -1 with errno
 * set. */
int folder_create(char path[FOLDER_BYTES]);
/* As folder_create(), in /dev/shm, TMPDIR or /tmp, whichever is the first with `bytes` free; the path
 * is absolute. Returns 0, or -1. */
int folder_create_in_memory(char path[FOLDER_BYTES], uint64_t bytes);
/* Creates a file in the folder, all 0, and maps it for this process and others. NULL with errno set:
 * it cannot be created. Unmap it with folder_unmap(). */
void *folder_map(const char *folder, const char *name, size_t bytes);
void folder_unmap(void *map, size_t bytes);
/* Removes it with the files in it. */
void folder_remove(const char *path);

#endif
