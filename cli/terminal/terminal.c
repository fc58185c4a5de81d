/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* isatty, fileno, struct winsize */
#define _DARWIN_C_SOURCE
#include "cli/terminal/terminal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define USUAL_WIDTH  80
#define USUAL_HEIGHT 24

#ifdef __wasi__ /* has no ioctl() of terminals */
struct winsize {
    unsigned ws_col, ws_row;
};

static struct winsize size_of(int stream)
{
    const char *columns = isatty(stream) ? getenv("COLUMNS") : NULL;
    return (struct winsize){columns ? (unsigned)atoi(columns) : 0, columns ? USUAL_HEIGHT : 0};
}
#else
/* Columns and rows of a stream; 0 and 0: the stream is no terminal. */
static struct winsize size_of(int stream)
{
    struct winsize size = {0};
    if (!isatty(stream))
        return size;
    if (ioctl(stream, TIOCGWINSZ, &size) != 0)
        size = (struct winsize){0};
    size.ws_col = size.ws_col ? size.ws_col : USUAL_WIDTH;
    size.ws_row = size.ws_row ? size.ws_row : USUAL_HEIGHT;
    return size;
}
#endif

unsigned terminal_width(void)
{
    return size_of(STDOUT_FILENO).ws_col;
}

unsigned terminal_error_width(void)
{
    return size_of(STDERR_FILENO).ws_col;
}

unsigned terminal_error_height(void)
{
    return size_of(STDERR_FILENO).ws_row;
}

void terminal_wrap(FILE *stream, const char *text, int at, int indent, int width)
{
    while (*text) {
        int bytes = (int)strcspn(text, " \n");
        if (width && at > indent && at + 1 + bytes > width)
            at = fprintf(stream, "\n%*s", indent, "") - 1;
        at += fprintf(stream, " %.*s", bytes, text);
        text += bytes + (int)strspn(text + bytes, " \n");
    }
    fprintf(stream, "\n");
}

/* Indents further lines by two columns. */
static void print_words(FILE *stream, const char *name, const char *text, unsigned width)
{
    terminal_wrap(stream, text, fprintf(stream, "%s:", name), 1, (int)width);
}

void terminal_print_text(const char *name, const char *text)
{
    print_words(stdout, name, text, terminal_width());
}

void terminal_say(const char *name, const char *text)
{
    print_words(stderr, name, text, terminal_error_width());
}

void terminal_sayf(const char *name, const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    terminal_say(name, text);
}

bool terminal_is_plain(void)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return (no_color && *no_color) || !term || strcmp(term, "dumb") == 0;
}

bool terminal_watched(void)
{
    const char *term = getenv("TERM");
    return isatty(fileno(stderr)) == 1 && !(term && strcmp(term, "dumb") == 0);
}
