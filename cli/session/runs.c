/* SPDX-License-Identifier: MIT */
/*
 * runs.c - --runs: starts this program again for each run, with the same words preceded by the
 * run's number. Each run returns a result file on its standard output; this file merges them into
 * one report.
 *
 * Runs start without a shell. The option with the run's number is hidden from the help, and the
 * result comes through an unlinked file. A run ignores Ctrl-C and obeys the SIGTERM that the first
 * process forwards. Tables show the median of the runs' medians (src/report/runs.h); JSON and CSV
 * keep every run.
 */
#include "cli/result_file/read_result.h"
#include "cli/session/merge.h"
#include "cli/session/session.h"
#include "cli/terminal/process.h"
#include "cli/terminal/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Counts a run's outcome by its exit code, which says more than its result. */
static void count_outcome(session *s, int code)
{
    if (code == EXIT_DONE)
        s->measured++;
    else if (code == EXIT_USAGE)
        s->not_possible++;
    else
        s->failed = true;
}

/* Adds a run's data: missing timer limits of devices, baselines, all series. */
static kt_status add_run(kt_report *to, const kt_report *from, uint32_t run)
{
    kt_status status = merge_devices(to, from);
    for (uint32_t i = 0; i < kt_report_baseline_count(from) && status == KT_OK; i++)
        status = kt_report_add_baseline(to, kt_report_baseline(from, i));
    for (uint32_t i = 0; i < kt_report_series_count(from) && status == KT_OK; i++) {
        kt_series series = *kt_report_series(from, i);
        series.run = run; /* rows of measurements that never started have 0 */
        status = kt_report_add_series(to, &series);
    }
    return status;
}

/* Prints a message about a run without a result. */
static void say_lost(session *s, uint32_t run, const char *what)
{
    char who[48];
    snprintf(who, sizeof who, "run %u of %u", run + 1, s->options->runs);
    session_say(s, who, NULL, what);
    s->failed = true;
}

static void describe_end(int code, const char *errors, char *text, size_t bytes)
{
    if (code == PROCESS_MISSING || code == PROCESS_BROKEN)
        snprintf(text, bytes, "it could not be started: %s", errors ? errors : "unknown");
    else if (code > 128)
        snprintf(text, bytes, "it was ended by signal %d", code - 128);
    else
        snprintf(text, bytes, "it ended with exit code %d and no result", code);
}

/* Takes the outcome of a run. Returns EXIT_DONE to continue, or an exit code. */
static int take_run(session *s, uint32_t run, int code, const process_output *output)
{
    char reason[READ_REASON_BYTES], text[READ_REASON_BYTES + 64];
    kt_report *report = NULL;
    if (!output->output_bytes) {
        /* All runs would fail in the same way. */
        if (run == 0 && (code == EXIT_USAGE || code == EXIT_UNAVAILABLE))
            return code;
        describe_end(code, output->errors, text, sizeof text);
        if (!terminal_interrupted()) /* after Ctrl-C, a run without a result is no news */
            say_lost(s, run, text);
        return EXIT_DONE;
    }
    if (read_result_text(output->output, output->output_bytes, &report, reason) != 0) {
        snprintf(text, sizeof text, "its result cannot be read: %s", reason);
        say_lost(s, run, text);
        return EXIT_DONE;
    }
    if (add_run(s->report, report, run) != KT_OK)
        session_out_of_memory(s);
    kt_report_destroy(&report);
    count_outcome(s, code);
    return EXIT_DONE;
}

static bool has_row(const kt_report *report, const char *id, const plan_item *item, uint64_t size)
{
    for (uint32_t i = 0; i < kt_report_series_count(report); i++) {
        const kt_series *series = kt_report_series(report, i);
        const char *variant = series->variant ? series->variant : "";
        if (strcmp(series->device, id) == 0 && series->param_count &&
            (uint64_t)series->params[0].value == size &&
            strcmp(series->workload, item->workload->name) == 0 &&
            strcmp(variant, item->variant ? item->variant : "") == 0)
            return true;
    }
    return false;
}

/* Smallest size without a row of a device that may be left out; 0: none. */
static uint64_t left_out_from(const session *s, const plan_item *item,
                              const selected_device *device)
{
    uint64_t from = 0;
    for (size_t i = 0; i < item->sizes.count && selection_is_software(device); i++) {
        uint64_t size = item->sizes.values[i];
        if ((from == 0 || size < from) && plan_has_size(item, device, size) &&
            !has_row(s->report, device->info.id, item, size))
            from = size;
    }
    return from;
}

/* Lists what the first run left out, since its devices were too slow: "ITEM:DEVICE:SIZE " each. */
static void list_left_out(const session *s, char *text, size_t bytes)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < s->plan.count; i++)
        for (size_t d = 0; d < s->selected.count && length < bytes; d++) {
            uint64_t from = left_out_from(s, &s->plan.items[i], &s->selected.devices[d]);
            if (from)
                length += (size_t)snprintf(text + length, bytes - length, "%zu:%zu:%" PRIu64 " ", i,
                                           d, from);
        }
}

void session_leave_out_again(session *s, const char *left_out)
{
    while (*left_out) {
        unsigned long long numbers[3];
        for (int i = 0; i < 3; i++) {
            char *end;
            numbers[i] = strtoull(left_out, &end, 10);
            left_out = end + (*end != '\0');
        }
        if (numbers[0] >= s->plan.count || numbers[1] >= s->selected.count)
            return;
        s->devices[numbers[1]].too_slow_from[numbers[0]] = numbers[2];
    }
}

int session_measure_runs(session *s)
{
    const cli_options *o = s->options;
    const char **words = calloc(o->word_count + 4, sizeof *words);
    if (!words) {
        session_out_of_memory(s);
        return EXIT_DONE;
    }
    static const char option[] = "--" OPTION_LEFT_OUT "=";
    char number[64], left_out[1024];
    snprintf(left_out, sizeof left_out, "%s-", option);
    words[0] = o->program;
    words[1] = o->words[0]; /* the command */
    words[2] = number;
    words[3] = left_out;
    for (uint32_t i = 1; i < o->word_count; i++)
        words[3 + i] = o->words[i];
    int code = EXIT_DONE;
    for (uint32_t run = 0; run < o->runs && code == EXIT_DONE && !terminal_interrupted(); run++) {
        snprintf(number, sizeof number, "--" OPTION_RUN "=%u", run);
        process_output output;
        int ended = process_run_again(words, &output);
        code = take_run(s, run, ended, &output);
        process_free(&output);
        if (run == 0 && ended == EXIT_DONE)
            list_left_out(s, left_out + sizeof option - 1, sizeof left_out - sizeof option);
    }
    free(words);
    return code;
}
