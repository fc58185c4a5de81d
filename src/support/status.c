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

/* What a library keeps per thread must be small if a program can load it while it runs (glibc 2.36
 * has about 1.5 KiB for all that are as fast as the registry's), so longer texts are allocated. */
#define SHORT_BYTES 160

typedef struct long_text {
    kt_thread_end end;
    char text[KT_ERROR_TEXT_BYTES];
} long_text;

static _Thread_local char short_text[SHORT_BYTES];
static _Thread_local long_text *longer; /* NULL before the first */
static _Thread_local bool is_long;      /* the last one */

static void end_text(kt_thread_end *end)
{
    is_long = false;
    short_text[0] = '\0';
    longer = NULL;
    kt_free(end); /* the first member of a long_text */
}

/* False: there is no memory. */
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

/* Cuts it off only where there is no memory for more. */
static void keep(const char *text)
{
    size_t length = strlen(text);
    is_long = length >= SHORT_BYTES && make_longer();
    char *to = is_long ? longer->text : short_text;
    size_t kept = is_long || length < SHORT_BYTES ? length : SHORT_BYTES - 1;
    memcpy(to, text, kept);
    to[kept] = '\0';
}

/* Texts of drivers and build logs are in it, and it ends up on terminals, which control characters
 * could repaint. Lines stay lines. */
static void disarm(char *text)
{
    for (; *text; text++)
        if (((unsigned char)*text < 0x20 && *text != '\n' && *text != '\t') || *text == 0x7F)
            *text = '?';
}

/* In parentheses, since error.h makes a macro of the name for the analyzer. */
kt_status(kt_fail)(kt_status status, const char *format, ...)
{
    /* An argument may be the text itself ("could not open %s: " with kt_error_text()). */
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
