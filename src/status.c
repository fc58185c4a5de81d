#include "error.h"

#include <kerntime/kerntime.h>
#include <stdarg.h>
#include <stdio.h>

#define TEXT_OF_(x) #x
#define TEXT_OF(x)  TEXT_OF_(x)

static _Thread_local char error_text[KT_ERROR_TEXT_BYTES];

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
    snprintf(error_text, sizeof error_text, "%s", text);
    return status;
}

const char *kt_error_text(void)
{
    return error_text;
}

const char *kt_status_name(kt_status status)
{
    switch (status) {
    case KT_OK: return "ok";
    case KT_INVALID: return "invalid argument";
    case KT_NO_MEMORY: return "out of memory";
    case KT_UNAVAILABLE: return "not available";
    case KT_UNSUPPORTED: return "not supported";
    case KT_LIMIT: return "over a limit";
    case KT_NOT_READY: return "not ready";
    case KT_TIMEOUT: return "timed out";
    case KT_DEVICE_LOST: return "device lost";
    case KT_DRIVER_ERROR: return "driver error";
    case KT_BUILD_FAILED: return "build failed";
    case KT_WRONG_RESULT: return "wrong result";
    case KT_CANCELLED: return "cancelled";
    case KT_IO_ERROR: return "could not write";
    }
    return "unknown status";
}

const char *kt_version(void)
{
    return TEXT_OF(KT_VERSION_MAJOR) "." TEXT_OF(KT_VERSION_MINOR) "." TEXT_OF(KT_VERSION_PATCH);
}
