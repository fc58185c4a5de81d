/* SPDX-License-Identifier: MIT */
/* stage_messages.c - what standard error says about configurations: guesses, failures, compilers. */
#include "cli/run/stage_run.h"
#include "cli/terminal/terminal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TOLD_MAX      8  /* sentences about failures; the table has all */
#define LOGS_MAX      3  /* different texts of compilers */
#define LOG_LINES_MAX 20 /* of each */

/* "gemm.cl:fast TILE=16, n = 1024, on opencl:0" */
static void name_configuration(const run_state *r, size_t number, char *text, size_t bytes)
{
    const configuration *c = stage_configuration(r->plan, number);
    char n[48] = "";
    if (r->plan->contest_count > 1)
        snprintf(n, sizeof n, ", n = %" PRIu64, c->n);
    snprintf(text, bytes, "%s%s%s%s on %s", r->plan->subjects[c->subject].label,
             c->text[0] ? " " : "", c->text, n, r->selected.devices[c->device].info.id);
}

void run_tell(run_state *r, size_t number, const char *text)
{
    if (r->options->quiet)
        return;
    progress_clear(&r->progress);
    terminal_say(r->plan->subjects[stage_configuration(r->plan, number)->subject].label, text);
}

void run_tell_notes(run_state *r, size_t number, const char *text)
{
    uint32_t subject = stage_configuration(r->plan, number)->subject;
    if (r->noted[subject] || !*text)
        return;
    r->noted[subject] = true;
    run_tell(r, number, text);
}

/* ---- texts of compilers ---- */

static bool is_new_log(const run_state *r, size_t number)
{
    for (size_t i = 0; i < stage_number_count(r->plan); i++)
        if (i != number && r->fates[i].log && strcmp(r->fates[i].log, r->fates[number].log) == 0)
            return false;
    return true;
}

static void print_log(const run_state *r, const char *log)
{
    size_t line = 0, left = 0;
    while (*log) {
        size_t length = strcspn(log, "\n");
        if (line < LOG_LINES_MAX || r->options->verbose)
            fprintf(stderr, "    %.*s\n", (int)length, log);
        else
            left++;
        line++;
        log += length + (log[length] == '\n');
    }
    if (left)
        fprintf(stderr, "    (%zu more lines: --verbose shows them)\n", left);
}

bool run_is_told(const run_state *r, size_t number)
{
    const run_fate *fate = &r->fates[number];
    for (size_t i = 0; i < stage_number_count(r->plan); i++) {
        const run_fate *other = &r->fates[i];
        if (other->is_told && other->outcome == fate->outcome && fate->reason && other->reason &&
            strcmp(other->reason, fate->reason) == 0)
            return true;
    }
    return false;
}

void run_tell_failure(run_state *r, size_t number)
{
    run_fate *fate = &r->fates[number];
    char name[1024];
    bool has_log = fate->log && fate->log[0] && (r->logs_told < LOGS_MAX || r->options->verbose) &&
                   is_new_log(r, number);
    if (!r->options->verbose && !has_log && (r->told >= TOLD_MAX || run_is_told(r, number)))
        return;
    r->told++;
    fate->is_told = true;
    progress_clear(&r->progress);
    name_configuration(r, number, name, sizeof name);
    terminal_sayf("kerntime", "%s: %s", name, fate->reason ? fate->reason : "out of memory");
    if (!has_log)
        return;
    r->logs_told++;
    print_log(r, fate->log);
}
