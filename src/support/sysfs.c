/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_CLOEXEC, opendir() */
#include "support/sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static kt_reading reading_of(int error)
{
    switch (error) {
    case ENOENT:
    case ENOTDIR:
#ifdef ENODATA
    case ENODATA:
#endif
    case EOPNOTSUPP: return KT_READING_UNSUPPORTED;
    case EACCES:
    case EPERM: return KT_READING_DENIED;
    default: return KT_READING_FAILED;
    }
}

/* Below /sys a file may vanish between open() and read(), and reading then fails. The kernel gives
 * the whole text of a file to one read(). */
static kt_reading read_file(const char *path, char *text, size_t bytes)
{
    text[0] = '\0';
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return reading_of(errno);
    ssize_t length = read(file, text, bytes - 1);
    int error = length < 0 ? errno : 0;
    close(file);
    if (error)
        return reading_of(error);
    text[length] = '\0';
    if (length && text[length - 1] == '\n')
        text[length - 1] = '\0';
    return KT_READING_OK;
}

/* `length`: what vsnprintf() returned for the path. */
static kt_reading read_path(const char *path, int length, char *text, size_t bytes)
{
    text[0] = '\0';
    return length < 0 || length >= KT_SYSFS_PATH_BYTES ? KT_READING_UNSUPPORTED
                                                       : read_file(path, text, bytes);
}

kt_reading kt_sysfs_text(char *text, size_t bytes, const char *format, ...)
{
    char path[KT_SYSFS_PATH_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    return read_path(path, length, text, bytes);
}

bool kt_sysfs_parse(const char *text, double *number)
{
    bool negative = *text == '-', any = false;
    double value = 0, unit = 1;
    text += negative || *text == '+';
    for (; *text >= '0' && *text <= '9'; text++, any = true)
        value = value * 10 + (*text - '0');
    if (any && *text == '.')
        for (text++; *text >= '0' && *text <= '9'; text++)
            value += (*text - '0') * (unit /= 10);
    *number = negative ? -value : value;
    return any && *text == '\0';
}

kt_reading kt_sysfs_number(double *number, const char *format, ...)
{
    char path[KT_SYSFS_PATH_BYTES], text[64];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    kt_reading reading = read_path(path, length, text, sizeof text);
    if (reading == KT_READING_OK && !kt_sysfs_parse(text, number))
        reading = KT_READING_INVALID;
    return reading;
}

/* readdir() has no order, so the smallest name above the last one is found, `index` times. */
static bool find_next(const char *folder, const char *prefix, char *name, size_t bytes)
{
    char next[256] = "";
    DIR *opened = opendir(folder);
    for (struct dirent *entry; opened && (entry = readdir(opened)) != NULL;)
        if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0 &&
            strcmp(entry->d_name, name) > 0 && (!next[0] || strcmp(entry->d_name, next) < 0))
            snprintf(next, sizeof next, "%s", entry->d_name);
    if (opened)
        closedir(opened);
    return next[0] && snprintf(name, bytes, "%s", next) < (int)bytes;
}

bool kt_sysfs_find(const char *folder, const char *prefix, size_t index, char *name, size_t bytes)
{
    name[0] = '\0';
    for (size_t i = 0; i <= index; i++)
        if (!find_next(folder, prefix, name, bytes))
            return false;
    return true;
}
