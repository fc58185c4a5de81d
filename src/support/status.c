/* SPDX-License-Identifier: MIT */
#include "support/alloc.h"
#include "support/error.h"
#include "support/thread.h"

#include <kerntime/kerntime.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define TEXT_OF_(x) #x
#define TEXT_OF(x)  TEXT_OF_(x)

/* Allocated at a thread's first failure: the thread-local memory of a library that is loaded at run
 * time must stay small (registry.c). */
typedef struct error_text {
    kt_thread_end end;
    char text[KT_ERROR_TEXT_BYTES];
} error_text;

static _Thread_local error_text *own;
static _Thread_local bool allocating, lost; /* lost: there was no memory for the text */

static void end_text(kt_thread_end *end)
{
    own = NULL;
    kt_free(end); /* `end` is the first member of error_text */
}

/* Stores the error text. "out of memory" takes its place if it cannot be stored. */
static void keep(const char *text)
{
    if (allocating) /* kt_alloc() fails below */
        return;
    if (!own) {
        allocating = true;
        own = kt_alloc(1, sizeof *own);
        allocating = false;
        lost = !own;
        if (!own)
            return;
        own->end.run = end_text;
        kt_thread_at_end(&own->end);
    }
    memcpy(own->text, text, strlen(text) + 1);
}

/* Error texts contain driver messages and build logs. Replaces control characters, which could
 * repaint a terminal, but keeps line breaks and tabs. */
static void disarm(char *text)
{
    for (; *text; text++)
        if (((unsigned char)*text < 0x20 && *text != '\n' && *text != '\t') || *text == 0x7F)
            *text = '?';
}

/* Parenthesized because error.h defines a macro of this name for the analyzer. */
kt_status(kt_fail)(kt_status status, const char *format, ...)
{
    /* A separate buffer, since an argument may be the current error text itself. */
    char text[KT_ERROR_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    disarm(text);
    keep(text);
    return status;
}

const char *kt_error_text(void)
{
    return own ? own->text : lost ? "out of memory" : "";
}

const char *kt_version(void)
{
    return TEXT_OF(KT_VERSION_MAJOR) "." TEXT_OF(KT_VERSION_MINOR) "." TEXT_OF(KT_VERSION_PATCH);
}
