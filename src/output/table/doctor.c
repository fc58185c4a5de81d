/* SPDX-License-Identifier: MIT */
/*
 * doctor.c - prints the diagnostics of each device. A good one takes one line; any other shows what
 * was seen, what it means and what to do. The last lines of a device name its problems and the
 * shortest kernel with a detectable difference of 10 %.
 */
#include "output/table/tables.h"
#include "output/text.h"
#include "report/document.h"
#include "support/alloc.h"

#include <string.h>

#define LINE_WIDTH  100
#define SEVERITY_AT 2
#define CHECK_AT    11
#define CHECK_MAX   20 /* longer names of checks shift the text after them */
#define LABEL_WIDTH 7

/* Words of the severities. Upper case: the diagnostic needs the user's attention. */
static const char *const severity_words[] = {
    [KT_SEVERITY_GOOD] = "good",
    [KT_SEVERITY_NOTE] = "note",
    [KT_SEVERITY_WARNING] = "WARNING",
    [KT_SEVERITY_FAULT] = "FAULT",
};

static const kt_color severity_colors[] = {
    [KT_SEVERITY_GOOD] = KT_COLOR_GOOD,
    [KT_SEVERITY_NOTE] = KT_COLOR_NONE,
    [KT_SEVERITY_WARNING] = KT_COLOR_WARNING,
    [KT_SEVERITY_FAULT] = KT_COLOR_BAD,
};

/* Columns of a text on one line of a terminal. */
static unsigned measure_text(const char *text)
{
    char spelled[KT_SPELLED_BYTES];
    unsigned width = 0;
    for (; *text; width++)
        text += kt_spell_plain(text, 0, spelled);
    return width;
}

static void put_blanks(kt_writer *writer, unsigned count)
{
    kt_putf(writer, "%*s", (int)count, "");
}

/* Leaves one blank between words. */
static void squeeze(char *text)
{
    char *out = text;
    for (const char *in = text + strspn(text, " "); *in; in++)
        if (*in != ' ' || (in[1] && in[1] != ' '))
            *out++ = *in;
    *out = '\0';
}

/* Wraps a text; all its lines begin at `column`. */
static void put_words(kt_writer *writer, unsigned column, const char *text)
{
    unsigned screen = writer->sink->width;
    size_t bytes = strlen(text) * KT_SPELLED_BYTES + 1;
    char *spelled = kt_alloc(bytes, 1);
    if (!spelled) {
        writer->status = KT_NO_MEMORY;
        return;
    }
    spelled[0] = '\0';
    kt_append_spelled(kt_spell_plain, text, spelled, bytes);
    squeeze(spelled);
    kt_put_wrapped(writer, spelled, column, column,
                   screen && screen < LINE_WIDTH ? screen : LINE_WIDTH);
    kt_put(writer, "\n");
    kt_free(spelled);
}

/* ---- diagnostics ---- */

static bool is_shortest(const kt_diagnostic *diagnostic)
{
    return strcmp(diagnostic->check, KT_CHECK_SHORTEST) == 0;
}

/* Writes, for example, " WARNING resolution "; returns the column after it. */
static unsigned put_mark(kt_writer *writer, const kt_diagnostic *diagnostic, unsigned check_width)
{
    const char *severity = severity_words[diagnostic->severity];
    unsigned own = measure_text(diagnostic->check);
    unsigned width = own > check_width ? own : check_width;
    kt_color color = severity_colors[diagnostic->severity];
    put_blanks(writer, SEVERITY_AT);
    kt_begin_color(writer, color);
    kt_put(writer, severity);
    kt_end_color(writer, color);
    put_blanks(writer, CHECK_AT - SEVERITY_AT - (unsigned)strlen(severity));
    kt_put_spelled(writer, kt_spell_plain, diagnostic->check);
    put_blanks(writer, width - own + 2);
    return CHECK_AT + width + 2;
}

/* Writes what was seen, what it means and what to do, each on its own line if present. */
static void print_sentences(const kt_diagnostic *diagnostic, unsigned check_width,
                            kt_writer *writer)
{
    const char *const labels[] = {"seen", "means", "do"};
    const char *const texts[] = {is_shortest(diagnostic) ? NULL : diagnostic->seen,
                                 diagnostic->means, diagnostic->advice};
    unsigned column = 0;
    for (int i = 0; i < 3; i++) {
        if (!texts[i] || !*texts[i])
            continue;
        if (column)
            put_blanks(writer, column);
        else
            column = put_mark(writer, diagnostic, check_width);
        kt_putf(writer, "%-*s", LABEL_WIDTH, labels[i]);
        put_words(writer, column + LABEL_WIDTH, texts[i]);
    }
}

static void print_diagnostic(const kt_diagnostic *diagnostic, unsigned check_width,
                             kt_writer *writer)
{
    if (diagnostic->severity != KT_SEVERITY_GOOD)
        print_sentences(diagnostic, check_width, writer);
    else if (!is_shortest(diagnostic)) /* a good diagnostic takes one line, with what was seen */
        put_words(writer, put_mark(writer, diagnostic, check_width), diagnostic->seen);
}

static const kt_diagnostic *next_diagnostic(const kt_document *document, const char *device,
                                            uint32_t *at)
{
    while (*at < document->diagnostic_count) {
        const kt_diagnostic *diagnostic = &document->diagnostics[(*at)++];
        if (strcmp(diagnostic->device, device) == 0)
            return diagnostic;
    }
    return NULL;
}

static unsigned widest_check(const kt_document *document, const char *device)
{
    const kt_diagnostic *diagnostic;
    unsigned widest = 0;
    for (uint32_t at = 0; (diagnostic = next_diagnostic(document, device, &at)) != NULL;) {
        unsigned width = measure_text(diagnostic->check);
        if (width <= CHECK_MAX && width > widest)
            widest = width;
    }
    return widest;
}

/* Prints "opencl:0", the device's name, kind and driver, and a line with its quirk. */
static void print_head(const kt_device_info *info, kt_writer *writer)
{
    kt_put_spelled(writer, kt_spell_plain, info->id);
    kt_put(writer, "  ");
    kt_put_spelled(writer, kt_spell_plain, info->name);
    kt_putf(writer, " (%s), ", kt_device_type_name(info->type));
    kt_put_spelled(writer, kt_spell_plain, info->driver);
    kt_put(writer, "\n");
    if (!info->quirk[0])
        return;
    kt_put(writer, "  known issue: ");
    kt_put_spelled(writer, kt_spell_plain, info->quirk);
    kt_put(writer, "\n");
}

/* ---- summary ---- */

/* Writes, for example, "FAULT loops, order"; false if there are none. */
static bool put_checks(kt_writer *writer, const kt_document *document, const char *device,
                       kt_severity severity, const char *before)
{
    const kt_diagnostic *diagnostic;
    bool any = false;
    for (uint32_t at = 0; (diagnostic = next_diagnostic(document, device, &at)) != NULL;) {
        if (diagnostic->severity != severity || is_shortest(diagnostic))
            continue;
        if (any)
            kt_put(writer, ", ");
        else
            kt_putf(writer, "%s%s ", before, severity_words[severity]);
        kt_put_spelled(writer, kt_spell_plain, diagnostic->check);
        any = true;
    }
    return any;
}

/* Prints the names of the checks that found faults or warnings. */
static void print_summary(const kt_document *document, const char *device, kt_writer *writer)
{
    static const char head[] = "  problems: ";
    bool faults = put_checks(writer, document, device, KT_SEVERITY_FAULT, head);
    if (put_checks(writer, document, device, KT_SEVERITY_WARNING, faults ? "; " : head) || faults)
        kt_put(writer, "\n");
}

static void print_device(const kt_document *document, const kt_device_info *info, kt_writer *writer)
{
    const kt_diagnostic *diagnostic;
    unsigned check_width = widest_check(document, info->id);
    print_head(info, writer);
    for (uint32_t at = 0; (diagnostic = next_diagnostic(document, info->id, &at)) != NULL;)
        print_diagnostic(diagnostic, check_width, writer);
    print_summary(document, info->id, writer);
    for (uint32_t at = 0; (diagnostic = next_diagnostic(document, info->id, &at)) != NULL;) {
        if (!is_shortest(diagnostic))
            continue;
        put_blanks(writer, SEVERITY_AT); /* the shortest kernel takes one line */
        kt_put_spelled(writer, kt_spell_plain, diagnostic->seen);
        kt_put(writer, "\n");
    }
}

void kt_print_doctor(const kt_document *document, kt_writer *writer)
{
    for (uint32_t i = 0; i < document->device_count; i++) {
        if (i > 0)
            kt_put(writer, "\n");
        print_device(document, &document->devices[i].info, writer);
    }
    kt_print_missing(document, writer);
}
