/* SPDX-License-Identifier: MIT */
/* figure_document.h - a document by hand, its figure's script, and what both tests of it look for. */
#ifndef TESTS_UNIT_FIGURE_DOCUMENT_H
#define TESTS_UNIT_FIGURE_DOCUMENT_H

#include "output/figure/figure.h"
#include "report/document.h"
#include "tests/unit/collect.h"
#include "tests/unit/testing.h"

#include <stdio.h>

#define SERIES_MAX 400

static struct {
    kt_document document;
    kt_series series[SERIES_MAX];
    kt_param params[2 * SERIES_MAX];
    char names[SERIES_MAX][32];
    double samples[SERIES_MAX];
    kt_baseline baselines[2];
    kt_document_device devices[2];
    kt_report_origin origin;
    kt_figure_options options;
} d;

static inline int begin(void **state)
{
    memset(&d, 0, sizeof d);
    d.origin = (kt_report_origin){.version = "0",
                                  .started = "2026-11-21T10:00:00Z",
                                  .os = "an os",
                                  .cpu = "a cpu",
                                  .clock = "a clock",
                                  .cores = 2};
    d.document = (kt_document){.desc = {.document = "result", .origin = &d.origin},
                               .series = d.series,
                               .baselines = d.baselines,
                               .devices = d.devices};
    return 0;
}

static inline void print_script(void)
{
    static const kt_sink sink = {.write = collect};
    kt_writer writer = {.sink = &sink};
    output_bytes = 0;
    kt_print_figure(&d.document, &d.options, &writer);
    kt_flush(&writer);
    assert_int_equal(writer.status, KT_OK);
}

/* How the line of this title is drawn, from its colour on. */
static inline const char *look_of(const char *title, char look[256])
{
    char full[64];
    snprintf(full, sizeof full, " title '%.50s'", title);
    const char *end = strstr(output, full), *at = end;
    if (!end) {
        fail_msg("no %s in %s", full, output);
        return look;
    }
    while (at > output && at[-1] != '\n')
        at--;
    at = strstr(at, "lc rgb");
    snprintf(look, 256, "%.*s", (int)(end - at), at);
    return look;
}

/* ---- texts ---- */

static const char hostile[] =
    "`touch pwned` ' ! @x \"$(id)\" \\ \n!touch\tx ^2 {/} \x01 \xff &#0; ]]> #";

/* Makes a device and the origin hostile. */
static inline void make_hostile_head(void)
{
    d.origin.version = d.origin.started = d.origin.cpu = hostile;
    memcpy(d.devices[0].info.id, hostile, sizeof hostile);
    memcpy(d.devices[0].info.name, hostile, sizeof hostile);
    memcpy(d.devices[0].info.driver, hostile, sizeof hostile);
    d.document.device_count = 1;
}

/* Nothing of a hostile text is outside single quotes, which end on their line. */
static inline void expect_quoted(void)
{
    bool quoted = false;
    for (const char *at = output; *at; at++) {
        if (*at == '\'')
            quoted = !quoted;
        else if (quoted ? *at == '\n' : strchr("`!@\"^{", *at) != NULL)
            fail_msg("something got out: %s", at);
    }
    assert_false(quoted);
}

/* With --print: the output full of hostile texts, for a real gnuplot. */
static inline bool print_hostile(int argc, char **argv, void (*make_hostile)(void))
{
    if (argc < 2 || strcmp(argv[1], "--print") != 0)
        return false;
    make_hostile();
    fputs(output, stdout);
    return true;
}

#endif
