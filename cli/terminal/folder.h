/* folder.h - a private folder for files between the processes of one run. */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#define FOLDER_BYTES 1024

/* Creates a folder that nobody else may enter, below TMPDIR or /tmp. Returns 0, or -1 with errno
 * set. */
int folder_create(char path[FOLDER_BYTES]);
/* Removes it with the files in it. */
void folder_remove(const char *path);

#endif
