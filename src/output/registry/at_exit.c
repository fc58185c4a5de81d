/* SPDX-License-Identifier: MIT */
/*
 * at_exit.c - the report that a program leaves when it exits: KT_REPORT, kt_report_at_exit().
 *
 * It runs after the destructors of the program and calls no driver, since drivers may be gone by
 * then. A child of fork() leaves the file to its parent. kt_registry_report() has no caller to
 * return a status to, so a failure is one sentence on standard error: only who asked gets it.
 */
#include "output/registry/registry.h"
#include "registry/registry.h"
#include "support/alloc.h"
#include "support/dl.h"
#include "support/file.h"
#include "support/options.h"
#include "support/same_text.h"
#include "support/thread.h"

#include <stdio.h>
#include <string.h>

/* Stands for the number of the process in a path. */
#define PROCESS "%p"

/* The report that was asked for. Guarded by the library's mutex. */
static struct {
    char *path;   /* NULL: none */
    bool by_user; /* by KT_REPORT, which goes before what the program asks for */
    long process; /* that asked */
} wanted;

/* Where a report goes: a stream, or a file with a format. */
typedef struct place {
    int stream; /* KT_STREAM_OUTPUT, KT_STREAM_ERROR; 0: a file */
    kt_format format;
} place;

static kt_status place_of(const char *path, place *out)
{
    static const struct {
        const char *ending;
        kt_format format;
    } endings[] = {{".txt", KT_FORMAT_TABLE}, {".json", KT_FORMAT_JSON}, {".csv", KT_FORMAT_CSV}};
    *out = (place){.format = KT_FORMAT_TABLE};
    if (kt_same_text(path, "-"))
        out->stream = KT_STREAM_OUTPUT;
    if (kt_same_text(path, "stderr"))
        out->stream = KT_STREAM_ERROR;
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof endings / sizeof endings[0]; i++)
        if (kt_same_text(ending, endings[i].ending)) {
            out->format = endings[i].format;
            return KT_OK;
        }
    return out->stream ? KT_OK
                       : kt_fail(KT_INVALID,
                                 "a report goes to a .txt, .json or .csv file, to - or to stderr, "
                                 "not to %s",
                                 path);
}

/* The path with the number of this process. NULL: out of memory. */
static char *fill_in(const char *path)
{
    size_t bytes = strlen(path) + 1;
    for (const char *at = path; (at = strstr(at, PROCESS)) != NULL; at += strlen(PROCESS))
        bytes += 20; /* digits of a long */
    char *filled = kt_alloc(bytes, 1), *to = filled;
    if (!filled)
        return NULL;
    for (const char *at; (at = strstr(path, PROCESS)) != NULL; path = at + strlen(PROCESS))
        to += snprintf(to, bytes - (size_t)(to - filled), "%.*s%ld", (int)(at - path), path,
                       kt_process_id());
    snprintf(to, bytes - (size_t)(to - filled), "%s", path);
    return filled;
}

static int write_to_stream(void *user, const char *data, size_t bytes)
{
    return kt_stream_write(*(const int *)user, data, bytes);
}

static kt_status write_report(const char *path)
{
    place to;
    kt_snapshot *times = NULL;
    kt_status status = place_of(path, &to);
    if (status == KT_OK)
        status = kt_snapshot_take(&times);
    if (status == KT_OK && to.stream) {
        const kt_sink sink = {.write = write_to_stream, .user = &to.stream};
        status = kt_snapshot_write(times, to.format, &sink);
    } else if (status == KT_OK) {
        char *filled = fill_in(path);
        status = filled ? kt_snapshot_write_file(times, to.format, filled) : KT_NO_MEMORY;
        kt_free(filled);
    }
    kt_snapshot_destroy(&times);
    return status;
}

static void say_why(void)
{
    int stream = KT_STREAM_ERROR;
    const kt_sink sink = {.write = write_to_stream, .user = &stream};
    kt_writer writer = {.sink = &sink};
    kt_put(&writer, "kerntime: no report at exit: ");
    kt_put(&writer, kt_error_text());
    kt_put(&writer, "\n");
    kt_flush(&writer);
}

void kt_registry_report(bool used)
{
    bool locked = kt_lock_library(); /* else a signal handler in the registry exits */
    char *path = wanted.path;
    void (*before)(void) = kt_registry_before_report;
    bool is_due = path && (used || before || !wanted.by_user) &&
                  (wanted.process == kt_process_id() || strstr(path, PROCESS));
    wanted.path = NULL;
    if (locked)
        kt_mutex_unlock(kt_mutex_of_library());
    if (is_due && before)
        before();
    if (is_due && write_report(path) != KT_OK)
        say_why();
    kt_free(path);
}

/* Stores what is asked for. The path of a file is that of now, whatever folder the program goes
 * to. */
static kt_status want(const char *path, bool by_user)
{
    place to;
    bool is_stream = place_of(path, &to) == KT_OK && to.stream;
    char *own = is_stream ? kt_copy_text(path) : kt_file_absolute(path);
    if (!own)
        return KT_NO_MEMORY;
    kt_mutex_lock(kt_mutex_of_library());
    if (by_user || !wanted.by_user) {
        char *old = wanted.path;
        wanted.path = own;
        wanted.by_user = by_user;
        wanted.process = kt_process_id();
        own = old;
    }
    kt_mutex_unlock(kt_mutex_of_library());
    kt_free(own);
    return KT_OK;
}

kt_status kt_report_at_exit(const char *path)
{
    KT_NEED(path);
    place to;
    kt_status status = place_of(path, &to);
    if (status == KT_OK && !to.stream) {
        char *filled = fill_in(path);
        status = filled ? kt_file_check(filled) : KT_NO_MEMORY;
        kt_free(filled);
    }
    return status == KT_OK ? want(path, false) : status;
}

#if defined(__GNUC__)
/* Read when the program starts, before it may change its environment. */
__attribute__((constructor)) static void load(void)
{
    const char *path = kt_environment("KT_REPORT");
    if (path)
        want(path, true);
}
#endif
