/* SPDX-License-Identifier: MIT */
/* What was found about devices, as text. */
#include "tests/unit/documents.h"

#include <stdio.h>

#define DEVICES_MAX 2

typedef struct examined {
    kt_document document;
    kt_document_device devices[DEVICES_MAX];
    kt_document_backend backend;
} examined;

static const char *print(examined *e, kt_diagnostic *diagnostics, uint32_t count)
{
    static const kt_report_origin origin;
    e->document = (kt_document){.desc = {.document = "doctor", .origin = &origin},
                                .devices = e->devices,
                                .device_count = e->document.device_count,
                                .backends = &e->backend,
                                .backend_count = e->backend.name != NULL,
                                .diagnostics = diagnostics,
                                .diagnostic_count = count};
    return document_print(kt_print_table, &e->document);
}

static void one_device(examined *e, const char *id)
{
    *e = (examined){.document = {.device_count = 1}};
    e->devices[0].info =
        (kt_device_info){.name = "a name", .driver = "a driver", .type = KT_DEVICE_GPU};
    snprintf(e->devices[0].info.id, sizeof e->devices[0].info.id, "%s", id);
}

static void the_bad_ones_stand_out(void **state)
{
    static kt_diagnostic diagnostics[] = {
        {.device = "cuda:0",
         .check = "shortest",
         .seen = "shortest kernel with a detectable 10 % difference: 3.2 us",
         .means = "more in a row are ranked shorter"},
        {.device = "cuda:0", .check = "resolution", .seen = "it is 1 ns", .means = "not shown"},
        {.device = "cuda:0",
         .check = "timestamp_overhead",
         .severity = KT_SEVERITY_NOTE,
         .seen = "a timestamp costs 2 us"},
        {.device = "cuda:0",
         .check = "order",
         .severity = KT_SEVERITY_FAULT,
         .seen = "it runs backwards",
         .means = "no times are to be trusted",
         .advice = "get another driver"},
        {.device = "cuda:0",
         .check = "loops",
         .severity = KT_SEVERITY_WARNING,
         .seen = "cut",
         .advice = "loop less"},
        {.device = "cuda:0", .check = "placement", .severity = KT_SEVERITY_FAULT, .seen = "off"}};
    examined e;
    one_device(&e, "cuda:0");
    assert_string_equal(print(&e, diagnostics, 6),
                        "cuda:0  a name (gpu), a driver\n"
                        "  good     resolution          it is 1 ns\n"
                        "  note     timestamp_overhead  seen   a timestamp costs 2 us\n"
                        "  FAULT    order               seen   it runs backwards\n"
                        "                               means  no times are to be trusted\n"
                        "                               do     get another driver\n"
                        "  WARNING  loops               seen   cut\n"
                        "                               do     loop less\n"
                        "  FAULT    placement           seen   off\n"
                        "  problems: FAULT order, placement; WARNING loops\n"
                        "  shortest kernel with a detectable 10 % difference: 3.2 us\n");
    document_print(kt_print_markdown, &e.document);
    assert_int_equal(strncmp(document_output, "```text\ncuda:0  a name", 22), 0);
    assert_string_equal(document_output + strlen(document_output) - 4, "```\n");
}

static void each_device_has_its_own(void **state)
{
    static kt_diagnostic diagnostics[] = {
        {.device = "cuda:1", .check = "a_longer_name", .seen = "of the second"},
        {.device = "cuda:0", .check = "resolution", .seen = "of the first"}};
    examined e;
    one_device(&e, "cuda:0");
    e.devices[1] = e.devices[0];
    e.devices[1].info.id[5] = '1';
    e.document.device_count = 2;
    e.backend = (kt_document_backend){.name = "hip", .reason = "no driver"};
    assert_string_equal(print(&e, diagnostics, 2), "cuda:0  a name (gpu), a driver\n"
                                                   "  good     resolution  of the first\n"
                                                   "\n"
                                                   "cuda:1  a name (gpu), a driver\n"
                                                   "  good     a_longer_name  of the second\n"
                                                   "\n"
                                                   "not here: hip: no driver\n");
}

/* Columns of a line that ends in a line feed, of characters that are one column each. */
static unsigned columns_of(const char *line)
{
    unsigned columns = 0;
    for (; *line != '\n'; line++)
        columns += (*line & 0xC0) != 0x80;
    return columns;
}

/* Every line begins in the text's own column, is full, and no word is lost. */
static void long_sentences_are_wrapped(void **state)
{
    char seen[2048] = "";
    unsigned words = 0;
    while (strlen(seen) + 16 < sizeof seen)
        strcat(seen, words++ % 3 ? "w\xc3\xb6rd  " : "a\n");
    kt_diagnostic diagnostic = {.device = "cuda:0", .check = "resolution", .seen = seen};
    examined e;
    one_device(&e, "cuda:0");
    const char *line = strchr(print(&e, &diagnostic, 1), '\n') + 1;
    unsigned found = 0, lines = 0;
    for (; *line; line = strchr(line, '\n') + 1, lines++) {
        assert_int_equal(
            strncmp(line, lines ? "                       " : "  good     resolution  ", 23), 0);
        assert_true(line[23] != ' ');
        unsigned columns = columns_of(line);
        assert_true(columns <= 100);
        assert_true(columns > 100 - 6 || !*(strchr(line, '\n') + 1)); /* no room for another word */
        for (const char *at = line + 23; *at != '\n'; at++)
            found += *at == ' ';
        found++;
    }
    assert_int_equal(found, words);
    assert_true(lines > 10);
}

/* A number is not parted from its unit. */
static void units_begin_no_line(void **state)
{
    examined e;
    one_device(&e, "cuda:0");
    char seen[160], expected[256];
    for (int before = 70; before < 90; before++) {
        memset(seen, 'w', (size_t)before);
        snprintf(seen + before, sizeof seen - (size_t)before, " 7.5\tms, and 3 waves");
        kt_diagnostic diagnostic = {.device = "cuda:0", .check = "x", .seen = seen};
        int room = 100 - 14 - before; /* columns that are left */
        const char *const parts[] = {" 7.5 ms,", " and", " 3", " waves"};
        int at = snprintf(expected, sizeof expected,
                          "cuda:0  a name (gpu), a driver\n  good     x  %.*s", before, seen);
        for (int i = 0; i < 4; i++) {
            int width = (int)strlen(parts[i]);
            bool fits = width <= room;
            if (fits)
                at += snprintf(expected + at, sizeof expected - (size_t)at, "%s", parts[i]);
            else
                at += snprintf(expected + at, sizeof expected - (size_t)at, "\n%14s%s", "",
                               parts[i] + 1);
            room = fits ? room - width : 100 - 14 - width + 1;
        }
        snprintf(expected + at, sizeof expected - (size_t)at, "\n");
        assert_string_equal(print(&e, &diagnostic, 1), expected);
    }
}

static void what_fits_nowhere_stays_whole(void **state)
{
    char wide[201], expected[512];
    memset(wide, 'w', sizeof wide - 1);
    wide[sizeof wide - 1] = '\0';
    char seen[256];
    snprintf(seen, sizeof seen, "a %s b", wide);
    kt_diagnostic diagnostic = {.device = "cuda:0", .check = "x", .seen = seen};
    examined e;
    one_device(&e, "cuda:0");
    snprintf(expected, sizeof expected,
             "cuda:0  a name (gpu), a driver\n  good     x  a\n%14s%s\n%14sb\n", "", wide, "");
    assert_string_equal(print(&e, &diagnostic, 1), expected);
    diagnostic = (kt_diagnostic){.device = "cuda:0", .check = wide, .seen = ""};
    snprintf(expected, sizeof expected, "cuda:0  a name (gpu), a driver\n  good     %s  \n", wide);
    assert_string_equal(print(&e, &diagnostic, 1), expected);
}

/* An escape could repaint the screen, a line feed make up a line. */
static void drivers_cannot_draw(void **state)
{
    kt_diagnostic diagnostic = {.device = "cuda:0",
                                .check = "g\nr",
                                .severity = KT_SEVERITY_FAULT,
                                .seen = "a\x1b[2J\nb\xff",
                                .means = "\t \n"};
    examined e;
    one_device(&e, "cuda:0");
    snprintf(e.devices[0].info.driver, sizeof e.devices[0].info.driver, "d\nd");
    assert_string_equal(print(&e, &diagnostic, 1),
                        "cuda:0  a name (gpu), d d\n"
                        "  FAULT    g r  seen   a\xEF\xBF\xBD[2J b\xEF\xBF\xBD\n"
                        "                means  \n"
                        "  problems: FAULT g r\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bad_ones_stand_out),        cmocka_unit_test(each_device_has_its_own),
        cmocka_unit_test(long_sentences_are_wrapped),    cmocka_unit_test(units_begin_no_line),
        cmocka_unit_test(what_fits_nowhere_stays_whole), cmocka_unit_test(drivers_cannot_draw),
    };
    return cmocka_run_group_tests_name("doctor_text", tests, NULL, NULL);
}
