/* SPDX-License-Identifier: MIT */
/* tree.h - a machine made of files, as below /sys. */
#ifndef TREE_H
#define TREE_H

/* Makes a folder of tests/unit/state/machines/NAME.tree: lines `path: value`, with \n
 * for an end of a line, and comments with #, as scripts/record-state.sh writes them.
 * NULL: an empty one. Everybody may read it. Its path is valid until the next call. */
const char *tree_make(const char *name);
/* Writes one file of it, and the folders that the file needs. */
void tree_put(const char *path, const char *value);
/* Removes one file of it. */
void tree_drop(const char *path);
/* Sets who may use one file of it. */
void tree_allow(const char *path, unsigned mode);
/* Removes all of it. */
void tree_remove(void);

#endif
