/*
 * doctor.c - what was found out about each device as text. What is as it should be takes one line;
 * of anything else stand what was seen, what it means and what to do, so that the eye goes to what
 * is wrong. The last lines about a device name what is wrong, and the shortest kernel that it can
 * rank.
 */
#include "output/table/tables.h"
#include "output/text.h"
#include "report/document.h"

#include <string.h>

#define LINE_WIDTH  100
#define SEVERITY_AT 2
#define CHECK_AT    11
#define CHECK_MAX   20 /* wider names of checks move what follows them */
#define LABEL_WIDTH 7
#define UNIT_MAX    3 /* "ns,": does not begin a line */

/* Lower case is as it should be, or copes by itself; upper case is for the user to know. */
static const char *const severity_words[] = {
    [KT_SEVERITY_GOOD] = "good",
    [KT_SEVERITY_NOTE] = "note",
    [KT_SEVERITY_WARNING] = "WARNING",
    [KT_SEVERITY_FAULT] = "FAULT",
};

/* ---- words in lines ---- */

/* Columns that a text fills up to its end, or its first blank if `word`. `end` gets where that
 * is. */
static unsigned measure_text(const char *text, bool word, const char **end)
{
    char spelled[KT_SPELLED_BYTES];
    unsigned width = 0;
    while (*text) {
        size_t bytes = kt_spell_plain(text, 0, spelled);
        if (word && spelled[0] == ' ')
            break;
        text += bytes;
        width++;
    }
    if (end)
        *end = text;
    return width;
}

static void put_blanks(kt_writer *writer, unsigned count)
{
    kt_putf(writer, "%*s", (int)count, "");
}

static void put_part(kt_writer *writer, const char *text, const char *end)
{
    char spelled[KT_SPELLED_BYTES];
    while (text < end) {
        text += kt_spell_plain(text, 0, spelled);
        kt_put(writer, spelled);
    }
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t\n\v\f\r");
}

/* As measure_text() of a word, and of what is so short behind a number that it may be its unit. */
static unsigned measure_word(const char *text, const char **end)
{
    unsigned width = measure_text(text, true, end);
    const char *next = skip_blanks(*end), *unit_end;
    unsigned unit = measure_text(next, true, &unit_end);
    if (!strchr("0123456789", (*end)[-1]) || unit == 0 || unit > UNIT_MAX)
        return width;
    width += (unsigned)(next - *end) + unit;
    *end = unit_end;
    return width;
}

/* The words of a text from a column on, in which further lines begin, too. A word wider than a line
 * stays whole. */
static void put_words(kt_writer *writer, unsigned column, const char *text)
{
    unsigned at = column;
    const char *end;
    for (text = skip_blanks(text); *text; text = skip_blanks(end)) {
        unsigned width = measure_word(text, &end);
        bool first = at == column;
        if (!first && at + 1 + width > LINE_WIDTH) {
            kt_put(writer, "\n");
            put_blanks(writer, column);
            at = column;
            first = true;
        }
        if (!first)
            kt_put(writer, " ");
        at += width + !first;
        put_part(writer, text, end);
    }
    kt_put(writer, "\n");
}

/* ---- findings ---- */

static bool is_shortest(const kt_finding *finding)
{
    return strcmp(finding->check, KT_CHECK_SHORTEST) == 0;
}

/* "  WARNING  grid        ", and the column behind it. */
static unsigned put_mark(kt_writer *writer, const kt_finding *finding, unsigned check_width)
{
    const char *severity = severity_words[finding->severity];
    unsigned own = measure_text(finding->check, false, NULL);
    unsigned width = own > check_width ? own : check_width;
    put_blanks(writer, SEVERITY_AT);
    kt_put(writer, severity);
    put_blanks(writer, CHECK_AT - SEVERITY_AT - (unsigned)strlen(severity));
    kt_put_spelled(writer, kt_spell_plain, finding->check);
    put_blanks(writer, width - own + 2);
    return CHECK_AT + width + 2;
}

/* What was seen, what it means, what to do: those that are told, each from a line of its own on. */
static void print_sentences(const kt_finding *finding, unsigned check_width, kt_writer *writer)
{
    const char *const labels[] = {"seen", "means", "do"};
    const char *const texts[] = {is_shortest(finding) ? NULL : finding->seen, finding->means,
                                 finding->advice};
    unsigned column = 0;
    for (int i = 0; i < 3; i++) {
        if (!texts[i] || !*texts[i])
            continue;
        if (column)
            put_blanks(writer, column);
        else
            column = put_mark(writer, finding, check_width);
        kt_putf(writer, "%-*s", LABEL_WIDTH, labels[i]);
        put_words(writer, column + LABEL_WIDTH, texts[i]);
    }
}

static void print_finding(const kt_finding *finding, unsigned check_width, kt_writer *writer)
{
    if (finding->severity != KT_SEVERITY_GOOD)
        print_sentences(finding, check_width, writer);
    else if (!is_shortest(finding)) /* whose line says it all */
        put_words(writer, put_mark(writer, finding, check_width), finding->seen);
}

static const kt_finding *next_finding(const kt_document *document, const char *device, uint32_t *at)
{
    while (*at < document->finding_count) {
        const kt_finding *finding = &document->findings[(*at)++];
        if (strcmp(finding->device, device) == 0)
            return finding;
    }
    return NULL;
}

static unsigned widest_check(const kt_document *document, const char *device)
{
    const kt_finding *finding;
    unsigned widest = 0;
    for (uint32_t at = 0; (finding = next_finding(document, device, &at)) != NULL;) {
        unsigned width = measure_text(finding->check, false, NULL);
        if (width <= CHECK_MAX && width > widest)
            widest = width;
    }
    return widest;
}

/* "opencl:0  its name (cpu), its driver", and a line of what is known of that. */
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
    kt_put(writer, "  known: ");
    kt_put_spelled(writer, kt_spell_plain, info->quirk);
    kt_put(writer, "\n");
}

/* ---- the last lines ---- */

/* "FAULT loops, order"; whether there are any. */
static bool put_checks(kt_writer *writer, const kt_document *document, const char *device,
                       kt_severity severity, const char *before)
{
    const kt_finding *finding;
    bool any = false;
    for (uint32_t at = 0; (finding = next_finding(document, device, &at)) != NULL;) {
        if (finding->severity != severity || is_shortest(finding))
            continue;
        if (any)
            kt_put(writer, ", ");
        else
            kt_putf(writer, "%s%s ", before, severity_words[severity]);
        kt_put_spelled(writer, kt_spell_plain, finding->check);
        any = true;
    }
    return any;
}

/* What the eye should not have missed above. */
static void print_summary(const kt_document *document, const char *device, kt_writer *writer)
{
    static const char head[] = "  keep in mind: ";
    bool faults = put_checks(writer, document, device, KT_SEVERITY_FAULT, head);
    if (put_checks(writer, document, device, KT_SEVERITY_WARNING, faults ? "; " : head) || faults)
        kt_put(writer, "\n");
}

static void print_device(const kt_document *document, const kt_device_info *info, kt_writer *writer)
{
    const kt_finding *finding;
    unsigned check_width = widest_check(document, info->id);
    print_head(info, writer);
    for (uint32_t at = 0; (finding = next_finding(document, info->id, &at)) != NULL;)
        print_finding(finding, check_width, writer);
    print_summary(document, info->id, writer);
    for (uint32_t at = 0; (finding = next_finding(document, info->id, &at)) != NULL;) {
        if (!is_shortest(finding))
            continue;
        put_blanks(writer, SEVERITY_AT); /* one line however long it is */
        kt_put_spelled(writer, kt_spell_plain, finding->seen);
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
