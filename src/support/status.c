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

/* A library loaded at run time must keep its thread-local memory small: glibc 2.36 reserves about
 * 1.5 KiB for all libraries with fast access. So longer error texts are allocated. */
#define SHORT_BYTES 160

typedef struct long_text {
    kt_thread_end end;
    char text[KT_ERROR_TEXT_BYTES];
} long_text;

static _Thread_local char short_text[SHORT_BYTES];
static _Thread_local long_text *longer; /* NULL until the first long text */
static _Thread_local bool is_long;      /* the current error text is in `longer` */

static void end_text(kt_thread_end *end)
{
    is_long = false;
    short_text[0] = '\0';
    longer = NULL;
    kt_free(end); /* `end` is the first member of long_text */
}

/* Allocates the buffer for long error texts. False if out of memory. */
static bool make_longer(void)
{
    if (longer)
        return true;
    longer = kt_alloc(1, sizeof *longer);
    if (!longer)
        return false;
    longer->end.run = end_text;
    kt_thread_at_end(&longer->end);
    return true;
}

/* Stores the error text. Cuts a long text only if out of memory. */
static void keep(const char *text)
{
    size_t length = strlen(text);
    is_long = length >= SHORT_BYTES && make_longer();
    char *to = is_long ? longer->text : short_text;
    size_t kept = is_long || length < SHORT_BYTES ? length : SHORT_BYTES - 1;
    memcpy(to, text, kept);
    to[kept] = '\0';
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
    return is_long ? longer->text : short_text;
}

const char *kt_version(void)
{
    return TEXT_OF(KT_VERSION_MAJOR) "." TEXT_OF(KT_VERSION_MINOR) "." TEXT_OF(KT_VERSION_PATCH);
}
