/* SPDX-License-Identifier: MIT */
/* sysfs.h - reads small files of the kernel, such as those below /sys. */
#ifndef KT_SUPPORT_SYSFS_H
#define KT_SUPPORT_SYSFS_H

#include <kerntime/state.h>
#include <stdbool.h>
#include <stddef.h>

/* Longest path, with its end. Longer ones read as missing. */
#define KT_SYSFS_PATH_BYTES 512

/* Reads a file, without the last line's end. The path is of printf()'s format.
 * KT_READING_UNSUPPORTED: no such file; KT_READING_DENIED; KT_READING_FAILED: any other error, such
 * as a device that has gone. */
__attribute__((format(printf, 3, 4))) kt_reading kt_sysfs_text(char *text, size_t bytes,
                                                               const char *format, ...);
/* Reads a file with one decimal number. KT_READING_INVALID: it holds something else. */
__attribute__((format(printf, 2, 3))) kt_reading kt_sysfs_number(double *number, const char *format,
                                                                 ...);
/* Whether text is one decimal number, which may have a sign and a fraction, whatever the locale. */
bool kt_sysfs_parse(const char *text, double *number);
/* Finds the entry of a folder that begins with `prefix`, number `index` in the order of names, from
 * 0. Sets its name. False: there is none. */
bool kt_sysfs_find(const char *folder, const char *prefix, size_t index, char *name, size_t bytes);

#endif
