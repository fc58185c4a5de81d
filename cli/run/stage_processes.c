/* SPDX-License-Identifier: MIT */
/* stage_processes.c - starts stages, follows their lines, and blames what was under way when one
 * ended or hung. */
#include "cli/result_file/read_result.h"
#include "cli/run/guess.h"
#include "cli/run/race.h"
#include "cli/run/stage_run.h"
#include "cli/run/subject.h"
#include "cli/terminal/process.h"
#include "cli/terminal/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A stage is silent while a driver compiles, which has no limit of its own, and while a kernel runs up
 * to six times between two lines, each up to --timeout. */
#define COMPILE_NS        60e9
#define RUNS_AT_ONCE      6
#define NOTHING_UNDER_WAY STAGE_NONE

/* What is under way in a stage. */
typedef struct follower {
    run_state *run;
    stage_kind kind;
    size_t current;   /* configuration that began */
    bool is_useful;   /* a configuration ended, or began for good */
    const char *what; /* for the progress: "race 1 of 2, " */
} follower;

static double timeout_ns(const run_state *r)
{
    int64_t timeout = r->options->measure.timeout_ns;
    return (double)(timeout ? timeout : KT_TIMEOUT_DEFAULT_NS);
}

/* Sets the fate of a configuration that did not pass. */
static void put_out(run_state *r, size_t number, launch_outcome outcome, const char *reason)
{
    run_fate *fate = &r->fates[number];
    free(fate->reason);
    fate->outcome = outcome;
    fate->reason = text_copy(reason);
    fate->is_checked = true;
    r->chosen[number] = false;
    run_tell_failure(r, number);
    if (number < r->plan->configuration_count)
        return;
    /* Without a reference nothing is known to be right. */
    char text[LAUNCH_REASON_BYTES + 64];
    uint32_t expected = stage_configuration(r->plan, number)->expected;
    snprintf(text, sizeof text, "the reference of --check failed: %s", reason);
    for (size_t i = 0; i < r->plan->configuration_count; i++)
        if (stage_configuration(r->plan, i)->expected == expected && r->chosen[i]) {
            r->fates[i] =
                (run_fate){.outcome = stage_is_possible(outcome) ? OUTCOME_FAILED : outcome,
                           .reason = text_copy(text),
                           .is_checked = true,
                           .build_ns = NAN,
                           .first_use_ns = NAN};
            r->chosen[i] = false;
        }
}

/* ---- progress ---- */

static void show_check(follower *f)
{
    run_state *r = f->run;
    char name[160];
    double spent_ns = (double)(kt_host_now_ns() - r->begin_ns);
    const configuration *c = stage_configuration(r->plan, f->current);
    snprintf(name, sizeof name, "%s", c->text[0] ? c->text : r->plan->subjects[c->subject].label);
    snprintf(r->part.label, sizeof r->part.label, "checking %zu of %zu: %.60s",
             r->done < r->total ? r->done + 1 : r->total, r->total, name);
    if (r->done > 1)
        progress_round_over(&r->progress);
    double each_ns = r->done ? spent_ns / (double)r->done : 5e8;
    progress_part_follow(&r->part, spent_ns,
                         each_ns * (double)(r->total > r->done ? r->total - r->done : 0));
}

static void show_look(follower *f, const stage_line *line)
{
    run_state *r = f->run;
    snprintf(r->part.label, sizeof r->part.label, "%slook %zu, %zu of %zu left", f->what,
             line->number, line->left, r->total);
    progress_part_update(&r->part, fmin(0.95, (double)line->number / RACE_LOOKS_MAX));
}

/* ---- lines ---- */

static void take_end(follower *f, stage_line *line)
{
    run_state *r = f->run;
    run_fate *fate = &r->fates[line->number];
    f->current = NOTHING_UNDER_WAY;
    f->is_useful = true;
    r->done += f->kind == STAGE_CHECK;
    if (!fate->is_checked) {
        fate->build_ns = line->result.build_ns;
        fate->first_use_ns = line->result.first_use_ns;
    }
    fate->is_checked = true;
    if (line->result.outcome != OUTCOME_OK) {
        free(fate->log);
        fate->log = line->result.log;
        line->result.log = NULL;
        put_out(r, line->number, line->result.outcome, line->result.reason);
        return;
    }
    const configuration *c = stage_configuration(r->plan, line->number);
    if (!r->plan->has_reference || line->number >= r->plan->configuration_count)
        r->has_reference[c->expected] = true;
    if (f->kind == STAGE_CHECK)
        r->chosen[line->number] = false;
}

static void take_line(follower *f, char *text)
{
    stage_line line;
    run_state *r = f->run;
    if (stage_line_read(text, &line) &&
        (line.kind == LINE_LOOK || line.number < stage_number_count(r->plan))) {
        switch (line.kind) {
        case LINE_BEGIN:
            f->current = line.number;
            if (f->kind == STAGE_CHECK)
                show_check(f);
            break;
        case LINE_END: take_end(f, &line); break;
        case LINE_NOTE:
            if (line.note)
                run_tell_notes(r, line.number, line.note);
            break;
        case LINE_WARNING:
            if (line.note)
                run_tell(r, line.number, line.note);
            break;
        case LINE_LOOK: show_look(f, &line); break;
        case LINE_DROPPED:
            r->fates[line.number].is_dropped = true;
            f->current = NOTHING_UNDER_WAY;
            break;
        }
    }
    stage_line_free(&line);
}

/* ---- one process ---- */

typedef enum stage_end {
    STAGE_DONE,       /* it did all of its work */
    STAGE_AGAIN,      /* another process goes on without what was put out */
    STAGE_INTERRUPTED /* Ctrl-C */
} stage_end;

static void say_broken(run_state *r, const char *what)
{
    progress_clear(&r->progress);
    terminal_say("kerntime run", what);
    r->has_broken = true;
}

/* Whether -a says something of a parameter. */
static bool is_given(const run_texts *arguments, const char *name)
{
    char given[SIGNATURE_NAME_BYTES], ignored[SPECIFICATION_REASON_BYTES];
    bool is = false;
    for (size_t i = 0; i < arguments->count; i++)
        is |= specification_split(arguments->texts[i], given, ignored) && strcmp(given, name) == 0;
    return is;
}

/* With an option for the first buffer of a guessed size, an output if there is one. */
static void describe_crash(const run_state *r, size_t number, const char *how, char *text,
                           size_t bytes)
{
    const configuration *c = stage_configuration(r->plan, number);
    const run_subject *s = &r->plan->subjects[c->subject];
    const parameter *found = NULL;
    for (size_t i = 0; s->has_signature && i < s->signature.parameter_count; i++) {
        const parameter *p = &s->signature.parameters[i];
        bool is_better = !found || (found->is_read_only && !p->is_read_only);
        if (p->kind == PARAMETER_BUFFER && p->name[0] && is_better &&
            !is_given(&s->settings.arguments, p->name))
            found = p;
    }
    if (found)
        snprintf(text, bytes, "its process %s; is a guessed size too small? -a %s='zeros x %s'",
                 how, found->name, guess_larger(found, c->n));
    else
        snprintf(text, bytes, "its process %s", how);
}

/* Judges the end of a process. */
static stage_end judge_end(follower *f, process_event event, int code, const char *how)
{
    run_state *r = f->run;
    char text[256], name[256];
    if (event == PROCESS_INTERRUPTED || terminal_ended())
        return STAGE_INTERRUPTED;
    if (code == EXIT_DONE && event == PROCESS_ENDED)
        return terminal_interrupted() ? STAGE_INTERRUPTED : STAGE_DONE;
    if (f->current != NOTHING_UNDER_WAY) {
        if (event == PROCESS_SILENT)
            snprintf(text, sizeof text, "it did not end within %g s; --timeout gives it longer",
                     (RUNS_AT_ONCE * timeout_ns(r) + COMPILE_NS) * 1e-9);
        else
            describe_crash(r, f->current, how, text, sizeof text);
        r->done += f->kind == STAGE_CHECK;
        put_out(r, f->current, event == PROCESS_SILENT ? OUTCOME_TIMEOUT : OUTCOME_CRASHED, text);
        return STAGE_AGAIN;
    }
    if (f->is_useful)
        return STAGE_AGAIN;
    snprintf(name, sizeof name, "the process that should %s %s%s", stage_words[f->kind], how,
             event == PROCESS_SILENT ? " since it said nothing" : "");
    say_broken(r, name);
    return STAGE_DONE;
}

static bool any_chosen(const run_state *r)
{
    for (size_t i = 0; i < stage_number_count(r->plan); i++)
        if (r->chosen[i])
            return true;
    return false;
}

/* Starts one process and follows it to its end. */
static stage_end run_process(follower *f)
{
    run_state *r = f->run;
    process_child child;
    char how[128] = "", *line;
    f->current = NOTHING_UNDER_WAY;
    f->is_useful = false;
    snprintf(r->stage_word, sizeof r->stage_word, "--%s=%s:%s", OPTION_STAGE, stage_words[f->kind],
             r->folder);
    if (stage_list_write(r->folder, r->plan, r->chosen, r->has_reference) != 0) {
        say_broken(r, "the folder for temporary files cannot be written");
        return STAGE_DONE;
    }
    int error = process_start_again(r->words, &child);
    if (error) {
        snprintf(how, sizeof how, "a process cannot be started: %s", strerror(error));
        say_broken(r, how);
        return STAGE_DONE;
    }
    int64_t limit_ns = (int64_t)(RUNS_AT_ONCE * timeout_ns(r) + COMPILE_NS);
    process_event event;
    while ((event = process_read_line(&child, limit_ns, f->kind != STAGE_MEASURE, &line)) ==
           PROCESS_LINE)
        take_line(f, line);
    int code = process_finish(&child, event != PROCESS_ENDED, how, sizeof how);
    return judge_end(f, event, code, how);
}

/* Takes what a process handed over. */
static bool take_report(run_state *r, kt_report **out)
{
    char path[FOLDER_BYTES + 32], reason[READ_REASON_BYTES];
    stage_path(r->folder, STAGE_RESULT, path);
    if (read_result_file(path, out, reason) == READ_DONE) {
        remove(path);
        return true;
    }
    say_broken(r, reason);
    return false;
}

/* ---- stages ---- */

static int exit_of(stage_end end)
{
    return end == STAGE_INTERRUPTED ? EXIT_INTERRUPTED : EXIT_DONE;
}

int run_check(run_state *r)
{
    follower f = {.run = r, .kind = STAGE_CHECK};
    for (size_t i = 0; i < stage_number_count(r->plan); i++) {
        const configuration *c = stage_configuration(r->plan, i);
        r->chosen[i] = i < r->plan->configuration_count || c->n; /* not all contests have one */
        r->total += r->chosen[i];
    }
    progress_part_begin(&r->part, &r->progress, "checking", 5e8 * (double)r->total);
    stage_end end = STAGE_AGAIN;
    while (any_chosen(r) && end == STAGE_AGAIN)
        end = run_process(&f);
    progress_part_end(&r->part);
    progress_clear(&r->progress);
    return exit_of(end);
}

static bool has_passed(const run_state *r, size_t number)
{
    const run_fate *fate = &r->fates[number];
    return fate->outcome == OUTCOME_OK && fate->is_checked && !fate->is_dropped;
}

/* Chooses the configurations of a contest that passed. Returns their number. */
static size_t choose_contest(run_state *r, size_t contest)
{
    size_t count = 0;
    memset(r->chosen, 0, stage_number_count(r->plan) * sizeof *r->chosen);
    for (size_t i = 0; i < r->plan->configuration_count; i++)
        if (r->plan->configurations[i].contest == contest && has_passed(r, i)) {
            r->chosen[i] = true;
            count++;
        }
    return count;
}

/* A race that begins again drops anew. */
static void forget_drops(run_state *r, size_t contest)
{
    for (size_t i = 0; i < r->plan->configuration_count; i++)
        if (r->plan->configurations[i].contest == contest)
            r->fates[i].is_dropped = false;
}

int run_races(run_state *r)
{
    r->races = calloc(r->plan->contest_count + 1, sizeof *r->races);
    stage_end end = STAGE_DONE;
    for (size_t i = 0; r->races && i < r->plan->contest_count && end != STAGE_INTERRUPTED; i++) {
        char what[64] = "";
        if (r->plan->contest_count > 1)
            snprintf(what, sizeof what, "race %zu of %zu, ", i + 1, r->plan->contest_count);
        follower f = {.run = r, .kind = STAGE_RACE, .what = what};
        end = STAGE_AGAIN;
        r->total = choose_contest(r, i);
        progress_part_begin(&r->part, &r->progress, "look 1", 3e8 * (double)r->total);
        while (r->total > RACE_ALL && end == STAGE_AGAIN) {
            end = run_process(&f);
            if (end == STAGE_AGAIN)
                forget_drops(r, i);
            if (end == STAGE_AGAIN)
                r->total = choose_contest(r, i);
        }
        bool has_raced = r->total > RACE_ALL && end == STAGE_DONE && !r->has_broken;
        if (has_raced && take_report(r, &r->races[r->race_count]))
            r->race_count++;
        progress_part_end(&r->part);
        progress_clear(&r->progress);
    }
    return exit_of(end);
}

int run_measure(run_state *r)
{
    uint32_t runs = r->options->runs > 1 ? r->options->runs : 1;
    r->results = calloc(runs, sizeof *r->results);
    stage_end end = STAGE_DONE;
    bool all_at_once = r->plan->configuration_count == 1 && !r->plan->has_reference;
    for (uint32_t run = 0; r->results && run < runs && end == STAGE_DONE && !r->has_broken; run++) {
        follower f = {.run = r, .kind = STAGE_MEASURE, .what = ""};
        snprintf(r->run_word, sizeof r->run_word, "--%s=%u", OPTION_RUN, run);
        end = STAGE_AGAIN;
        while (end == STAGE_AGAIN) {
            for (size_t i = 0; i < stage_number_count(r->plan); i++)
                r->chosen[i] = i < r->plan->configuration_count &&
                               r->fates[i].outcome == OUTCOME_OK && !r->fates[i].is_dropped &&
                               (all_at_once || r->fates[i].is_checked);
            if (!any_chosen(r))
                return EXIT_DONE;
            end = run_process(&f);
        }
        if (end != STAGE_AGAIN && !terminal_ended() && !r->has_broken &&
            take_report(r, &r->results[run]))
            r->result_count = run + 1;
    }
    return terminal_ended() ? EXIT_INTERRUPTED : EXIT_DONE;
}
