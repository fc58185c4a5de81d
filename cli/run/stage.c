/* SPDX-License-Identifier: MIT */
#include "cli/run/stage.h"

#include "cli/output/output.h"
#include "cli/output/text.h"
#include "cli/run/race.h"
#include "cli/run/stage_run.h"
#include "cli/run/subject.h"
#include "cli/session/advice.h"
#include "cli/session/start.h"
#include "cli/terminal/terminal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rough times, for the estimate before work. */
#define CHECK_NS       8e8
#define RACE_NS        3e8
#define MEASURE_SHARES 1.1 /* warm-up and sampling, over the sampling time */

/* ---- before work ---- */

/* Makes the words of a stage: the command, options of its own, and all that the user typed. */
static bool make_words(run_state *r)
{
    const cli_options *o = r->options;
    r->words = calloc(o->word_count + 4, sizeof *r->words);
    if (!r->words)
        return false;
    bool several = o->runs > 1;
    size_t count = 0;
    r->words[count++] = o->program;
    r->words[count++] = o->words[0];
    r->words[count++] = r->stage_word;
    if (several) {
        snprintf(r->run_word, sizeof r->run_word, "--%s=0", OPTION_RUN);
        r->words[count++] = r->run_word;
    }
    for (uint32_t i = 1; i < o->word_count; i++)
        r->words[count++] = o->words[i];
    return true;
}

static bool allocate(run_state *r)
{
    size_t count = stage_number_count(r->plan);
    r->fates = calloc(count + 1, sizeof *r->fates);
    r->chosen = calloc(count + 1, sizeof *r->chosen);
    r->has_reference = calloc(r->plan->contest_count + 1, sizeof *r->has_reference);
    r->noted = calloc(r->plan->subject_count + 1, sizeof *r->noted);
    for (size_t i = 0; r->fates && i < count; i++)
        r->fates[i].build_ns = r->fates[i].first_use_ns = NAN;
    return r->fates && r->chosen && r->has_reference && r->noted && make_words(r);
}

static int prepare(run_state *r)
{
    const cli_options *o = r->options;
    int code = selection_make(o, &r->selected);
    if (code == EXIT_DONE)
        code = options_check_measure(o);
    if (code != EXIT_DONE)
        return code;
    selection_leave_out_software(&r->selected, o);
    r->plan = calloc(1, sizeof *r->plan);
    code = r->plan ? run_plan_make(o, &r->selected, r->plan) : EXIT_FAILED;
    if (code == EXIT_DONE)
        code = output_check(o);
    if (code == EXIT_DONE)
        code = start_check(o);
    if (code != EXIT_DONE)
        return code;
    selection_warn(&r->selected, o);
    code = selection_check(&r->selected);
    if (code != EXIT_DONE)
        return code;
    return allocate(r) ? EXIT_DONE : run_out();
}

static void print_plan(const run_state *r)
{
    const cli_options *o = r->options;
    size_t count = r->plan->configuration_count, contests = r->plan->contest_count;
    int64_t max_ns = o->measure.max_time_ns ? o->measure.max_time_ns : KT_MAX_TIME_DEFAULT_NS;
    double measured = fmin((double)count, (double)contests * RACE_ALL), each_ns = CHECK_NS;
    if (count > contests * RACE_ALL)
        each_ns += RACE_NS;
    double all_ns = (double)count * each_ns +
                    measured * (o->runs > 1 ? o->runs : 1) * MEASURE_SHARES * (double)max_ns;
    char time[32], dropped[64] = "", runs[32] = "";
    if (r->plan->dropped)
        snprintf(dropped, sizeof dropped, " (%zu left out by --if)", r->plan->dropped);
    if (o->runs > 1)
        snprintf(runs, sizeof runs, ", %u runs", o->runs);
    fprintf(stderr, "%zu configuration%s%s%s: %s\n", count, text_plural(count), dropped, runs,
            progress_format_plan(time, all_ns));
}

/* ---- after work ---- */

/* Builds fail in sweeps, since not all combinations are meant to compile. */
static bool is_failure(launch_outcome outcome)
{
    return outcome != OUTCOME_OK && outcome != OUTCOME_BUILD && stage_is_possible(outcome);
}

/* Whether nothing ran since no argument could be made of what the user gave. */
static bool is_misused(const run_state *r)
{
    for (size_t i = 0; i < r->plan->configuration_count; i++)
        if (r->fates[i].outcome != OUTCOME_ARGUMENTS)
            return false;
    return true;
}

static int exit_of_fates(const run_state *r)
{
    size_t passed = 0, builds = 0, failures = 0;
    for (size_t i = 0; i < stage_number_count(r->plan); i++) {
        launch_outcome outcome = r->fates[i].outcome;
        passed += i < r->plan->configuration_count && outcome == OUTCOME_OK;
        builds += outcome == OUTCOME_BUILD;
        failures += is_failure(outcome);
    }
    if (r->has_broken || failures || terminal_interrupted())
        return EXIT_FAILED;
    return passed ? EXIT_DONE : builds ? EXIT_FAILED : EXIT_USAGE;
}

static bool is_any_measured(const run_state *r)
{
    for (size_t i = 0; i < r->result_count; i++)
        if (r->results[i] && kt_report_series_count(r->results[i]))
            return true;
    return false;
}

static void give_advice(const run_state *r, const kt_host_state *before, const kt_host_state *after)
{
    char text[ADVICE_BYTES];
    const advice_facts facts = {.report = r->report,
                                .measure = &r->options->measure,
                                .runs = r->options->runs,
                                .before = before,
                                .after = after};
    if (!r->options->quiet && !terminal_interrupted() && r->report && advice_choose(&facts, text))
        terminal_say("advice", text);
}

/* All others differ from the first: then the first may be the wrong one. */
static void doubt_reference(const run_state *r)
{
    size_t wrong = 0, count = r->plan->configuration_count;
    for (size_t i = 0; i < count; i++)
        wrong += r->fates[i].outcome == OUTCOME_WRONG;
    if (!r->plan->has_reference && !r->options->run.expectations.count && count > 1 &&
        wrong == count - 1)
        terminal_say("kerntime run",
                     "all others differ from the first configuration: --check FILE says which is "
                     "right, --tolerance inf takes outputs that differ by design");
}

/* ---- the command ---- */

static int give_up(void)
{
    fprintf(stderr, "kerntime run: interrupted before anything was measured\n");
    return EXIT_INTERRUPTED;
}

static int work(run_state *r)
{
    bool at_once = r->plan->configuration_count == 1 && !r->plan->has_reference;
    r->begin_ns = kt_host_now_ns();
    int code = at_once ? EXIT_DONE : run_check(r);
    if (code == EXIT_DONE && !r->has_broken)
        code = run_races(r);
    if (code == EXIT_DONE && !r->has_broken)
        code = run_measure(r);
    if (terminal_interrupted() && (terminal_ended() || !is_any_measured(r)))
        return give_up();
    return code;
}

/* Nothing is left behind, whatever happens to the reader of the outputs. */
static void remove_folder(run_state *r)
{
    const char *trace = r->options->files[OUTPUT_TRACE];
    char path[FOLDER_BYTES + 32];
    if (!r->folder[0])
        return;
    stage_path(r->folder, STAGE_TRACE, path);
    if (trace && strcmp(trace, "-") == 0)
        r->trace = fopen(path, "rb");
    folder_remove(r->folder);
    r->folder[0] = '\0';
    terminal_has_to_tidy(false);
}

static int measure(run_state *r)
{
    const cli_options *o = r->options;
    if (!o->quiet && r->plan->configuration_count > 1)
        print_plan(r);
    kt_host_state before, after;
    terminal_catch_interrupt();
    start_wait(o);
    if (terminal_interrupted())
        return give_up();
    kt_host_state_read(&before);
    terminal_has_to_tidy(true);
    if (folder_create(r->folder) != 0) {
        terminal_sayf("kerntime run", "the folder for temporary files cannot be made: %s",
                      strerror(errno));
        return EXIT_FAILED;
    }
    progress_begin(&r->progress, o->quiet, 0, 0, 0);
    int code = work(r);
    kt_host_state_read(&after);
    remove_folder(r);
    if (code != EXIT_DONE)
        return code;
    if (terminal_interrupted())
        fprintf(stderr, "kerntime run: interrupted; what was measured so far follows\n");
    if (is_misused(r))
        return EXIT_USAGE;
    doubt_reference(r);
    code = run_write(r);
    give_advice(r, &before, &after);
    return code == EXIT_DONE ? exit_of_fates(r) : code;
}

static void clean_up(run_state *r)
{
    if (r->trace)
        fclose(r->trace);
    for (size_t i = 0; i < r->race_count; i++)
        kt_report_destroy(&r->races[i]);
    for (size_t i = 0; i < r->result_count; i++)
        kt_report_destroy(&r->results[i]);
    for (size_t i = 0; r->fates && i < stage_number_count(r->plan); i++) {
        free(r->fates[i].reason);
        free(r->fates[i].log);
    }
    free(r->races);
    free(r->results);
    free(r->fates);
    free(r->chosen);
    free(r->has_reference);
    free(r->noted);
    free(r->words);
    kt_report_destroy(&r->report);
    if (r->plan)
        run_plan_free(r->plan);
    free(r->plan);
    selection_free(&r->selected);
}

int stage_run(const cli_options *options)
{
    if (options->stage)
        stage_child(options);
    if (!options->operand_count && !options->run.t1) {
        fprintf(stderr, "kerntime run: which file? Try \"kerntime run saxpy.cl\".\n");
        return EXIT_USAGE;
    }
    run_state *r = calloc(1, sizeof *r);
    if (!r)
        return EXIT_FAILED;
    r->options = options;
    int code = prepare(r);
    if (code == EXIT_DONE)
        code = measure(r);
    clean_up(r);
    free(r);
    return code;
}
