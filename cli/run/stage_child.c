/* SPDX-License-Identifier: MIT */
/* stage_child.c - a stage in its own process: makes the plan again, and tries configurations. */
#include "cli/run/stage_child.h"

#include "cli/terminal/process.h"
#include "cli/terminal/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIGN_OF_LIFE_NS 1000000000

static void say_begin(stage_child_state *s, size_t number)
{
    int64_t now_ns = kt_host_now_ns();
    if (s->begun == number && now_ns - s->begun_ns < SIGN_OF_LIFE_NS)
        return;
    s->begun = number;
    s->begun_ns = now_ns;
    stage_line_write(s->lines, &(stage_line){.kind = LINE_BEGIN, .number = number});
}

void stage_say_end(stage_child_state *s, size_t number, const launch_result *result)
{
    stage_line_write(s->lines,
                     &(stage_line){.kind = LINE_END, .number = number, .result = *result});
    s->begun = STAGE_NONE;
}

bool stage_is_damaging(launch_outcome outcome)
{
    return outcome != OUTCOME_OK && outcome != OUTCOME_BUILD && outcome != OUTCOME_LIMIT &&
           outcome != OUTCOME_ARGUMENTS;
}

/* ---- one configuration ---- */

static kt_status open_device(stage_child_state *s, uint32_t index)
{
    stage_child_device *d = &s->devices[index];
    kt_status status = KT_OK;
    if (!d->device) {
        status =
            kt_device_open(s->selected.context, s->selected.devices[index].info.id, &d->device);
        if (status == KT_OK)
            (void)kt_device_get_state(d->device, &d->state);
    }
    if (status == KT_OK && !d->pool)
        status = launch_pool_create(s->plan, d->device, s->folder, &d->pool);
    return status;
}

#define NOTES_BYTES 2000

/* What was guessed, in one text: the lines of launch_describe(). */
static void join_notes(const launch *opened, char text[NOTES_BYTES])
{
    char line[256];
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; launch_describe(opened, i, line, sizeof line) && length < NOTES_BYTES; i++)
        length +=
            (size_t)snprintf(text + length, NOTES_BYTES - length, "%s%s", i ? "; " : "", line);
}

/* The first process prints notes of the check. Later stages share the terminal with it; the one that
 * makes the check unnecessary prints them itself. */
static void say_note(stage_child_state *s, size_t number, stage_line_kind kind, char *text)
{
    const configuration *c = stage_configuration(s->plan, number);
    if (s->kind == STAGE_CHECK)
        stage_line_write(s->lines, &(stage_line){.kind = kind, .number = number, .note = text});
    else if (text[0])
        terminal_say(s->plan->subjects[c->subject].label, text);
}

static void say_notes(stage_child_state *s, size_t number, const launch *opened)
{
    const configuration *c = stage_configuration(s->plan, number);
    if (s->noted[c->subject] || s->options->quiet)
        return;
    s->noted[c->subject] = true;
    char text[NOTES_BYTES];
    join_notes(opened, text);
    say_note(s, number, LINE_NOTE, text);
}

/* Says a sentence of a launch; NULL: there is none. */
static void say_warning(stage_child_state *s, size_t number, const char *sentence)
{
    char text[LAUNCH_REASON_BYTES];
    if (!sentence || s->options->quiet)
        return;
    snprintf(text, sizeof text, "%s", sentence);
    say_note(s, number, LINE_WARNING, text);
}

void stage_say_variation(stage_child_state *s, size_t number, const launch *opened)
{
    say_warning(s, number, launch_varies(opened));
}

launch *stage_try(stage_child_state *s, size_t number)
{
    const configuration *c = stage_configuration(s->plan, number);
    launch_result result = {.build_ns = NAN, .first_use_ns = NAN};
    launch *opened = NULL;
    bool is_reference = !s->has_reference[c->expected];
    say_begin(s, number);
    if (open_device(s, c->device) != KT_OK) {
        result.outcome = OUTCOME_FAILED;
        snprintf(result.reason, sizeof result.reason, "%s", kt_error_text());
    } else if (launch_create(s->devices[c->device].pool, c, &opened, &result) == 0) {
        say_notes(s, number, opened);
        launch_check(opened, is_reference, &result);
        if (result.outcome == OUTCOME_OK) {
            say_warning(s, number, launch_nan(opened));
            stage_say_variation(s, number, opened);
        }
    }
    s->has_reference[c->expected] |= is_reference && result.outcome == OUTCOME_OK;
    if (result.outcome != OUTCOME_OK)
        launch_destroy(&opened);
    stage_say_end(s, number, &result);
    free(result.log);
    if (stage_is_damaging(result.outcome))
        process_leave(EXIT_FAILED);
    return opened;
}

/* ---- several ---- */

/* With --check, only the reference makes what is expected. */
static bool can_be_tried(const stage_child_state *s, size_t number)
{
    bool has = s->has_reference[stage_configuration(s->plan, number)->expected];
    return s->chosen[number] &&
           (!s->plan->has_reference || has != (number >= s->plan->configuration_count));
}

static int check_all(stage_child_state *s)
{
    size_t count = stage_number_count(s->plan), first = s->plan->configuration_count;
    /* References, which stand behind all others, come first. */
    for (size_t i = 0; i < count && !terminal_interrupted(); i++) {
        size_t number = (first + i) % count;
        launch *opened = can_be_tried(s, number) ? stage_try(s, number) : NULL;
        launch_destroy(&opened);
    }
    return EXIT_DONE;
}

static void begin_contender(stage_child_state *s, size_t number, launch *opened,
                            stage_contender *out)
{
    *out = (stage_contender){.stage = s, .number = number, .launch = opened};
    out->varies = launch_varies(opened) != NULL;
    out->options = s->options->measure;
}

stage_contender *stage_open_all(stage_child_state *s, size_t *count)
{
    size_t most = 0;
    for (size_t i = 0; i < s->plan->configuration_count; i++)
        most += s->chosen[i];
    stage_contender *contenders = calloc(most ? most : 1, sizeof *contenders);
    *count = 0;
    for (size_t i = 0; contenders && i < s->plan->configuration_count && !terminal_interrupted();
         i++) {
        launch *opened = s->chosen[i] ? stage_try(s, i) : NULL;
        if (opened)
            begin_contender(s, i, opened, &contenders[(*count)++]);
    }
    return contenders;
}

void stage_close_all(stage_contender *contenders, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        kt_result_destroy(&contenders[i].result);
        launch_destroy(&contenders[i].launch);
    }
    free(contenders);
}

/* ---- measuring ---- */

static void show(stage_contender *c, const kt_progress *progress)
{
    const stage_child_state *s = c->stage;
    const configuration *which = stage_configuration(s->plan, c->number);
    pace_follow(&c->pace, &c->options, progress, kt_host_now_ns());
    if (!isnan(progress->median_ns)) {
        char time[32], half[32] = "", text[96];
        if (!isnan(progress->error))
            snprintf(half, sizeof half, progress->error < 0.1 ? " ±%.2g %%" : " ±%.0f %%",
                     100 * progress->error);
        snprintf(text, sizeof text, "%s%s%s%s",
                 kt_format_ns(time, sizeof time, progress->median_ns), half,
                 progress->is_wall ? " (wall)" : "",
                 progress->ended     ? ""
                 : progress->samples ? ", so far"
                                     : ", warming up");
        const run_subject *subject = &s->plan->subjects[which->subject];
        progress_part_row(&c->part, which->text[0] ? which->text : subject->name,
                          s->selected.devices[which->device].info.id, text, progress->ended);
    }
    progress_part_follow(&c->part, c->pace.spent_ns, c->pace.left_ns);
}

static int on_progress(void *user, const kt_progress *progress)
{
    stage_contender *c = user;
    say_begin(c->stage, c->number);
    if (c->shown) {
        if (progress->samples > 1)
            progress_round_over(&c->stage->progress);
        show(c, progress);
    }
    return !terminal_interrupted();
}

static launch_outcome outcome_of(kt_status status)
{
    switch (status) {
    case KT_OK:
    case KT_CANCELLED: return OUTCOME_OK;
    case KT_WRONG_RESULT: return OUTCOME_WRONG;
    case KT_TIMEOUT: return OUTCOME_TIMEOUT;
    case KT_LIMIT:
    case KT_UNSUPPORTED: return OUTCOME_LIMIT;
    default: return OUTCOME_FAILED;
    }
}

static void say_failure(stage_contender *c, const kt_measure_item *item)
{
    launch_result result = {
        .outcome = outcome_of(item->status), .build_ns = NAN, .first_use_ns = NAN};
    snprintf(result.reason, sizeof result.reason, "%s", item->error);
    stage_say_end(c->stage, c->number, &result);
    launch_destroy(&c->launch);
    kt_result_destroy(&c->result);
}

/* The item that took its device along, which then blames all others on it; STAGE_NONE: none did. */
static size_t find_culprit(const kt_measure_item *items, size_t count)
{
    size_t lost = STAGE_NONE;
    for (size_t i = 0; i < count; i++) {
        if (items[i].status == KT_TIMEOUT)
            return i;
        if (items[i].status == KT_DEVICE_LOST && lost == STAGE_NONE)
            lost = i;
    }
    return lost;
}

static bool has_samples(const kt_result *result)
{
    for (uint32_t i = 0; result && i < kt_result_series_count(result); i++)
        if (kt_result_series(result, i)->summary.n > 0)
            return true;
    return false;
}

static void take_results(stage_contender *const *open, const kt_measure_item *items, size_t count)
{
    size_t culprit = find_culprit(items, count);
    if (culprit != STAGE_NONE) {
        say_failure(open[culprit], &items[culprit]);
        process_leave(EXIT_FAILED);
    }
    bool damaged = false;
    for (size_t i = 0; i < count; i++) {
        kt_result_destroy(&open[i]->result);
        open[i]->result = items[i].result;
        launch_outcome outcome = outcome_of(items[i].status);
        damaged |= stage_is_damaging(outcome);
        if (outcome != OUTCOME_OK)
            say_failure(open[i], &items[i]);
        else if (items[i].status == KT_CANCELLED && !has_samples(items[i].result))
            kt_result_destroy(&open[i]->result);
    }
    if (damaged)
        process_leave(EXIT_FAILED);
}

bool stage_measure(stage_contender *contenders, size_t count)
{
    kt_measure_item *items = calloc(count + 1, sizeof *items);
    stage_contender **open = calloc(count + 1, sizeof *open);
    uint32_t open_count = 0;
    for (size_t i = 0; items && open && i < count; i++) {
        stage_contender *c = &contenders[i];
        if (!c->launch)
            continue;
        c->options.progress = on_progress;
        c->options.progress_user = c;
        items[open_count] = (kt_measure_item){.job = launch_job(c->launch), .options = &c->options};
        open[open_count++] = c;
    }
    bool done = items && open;
    if (done && open_count) {
        kt_measure_all(items, open_count);
        take_results(open, items, open_count);
    }
    free(items);
    free(open);
    return done && !terminal_interrupted();
}

kt_status stage_report_device(const stage_contender *contender, kt_report *report)
{
    const stage_child_state *s = contender->stage;
    uint32_t index = stage_configuration(s->plan, contender->number)->device;
    const stage_child_device *d = &s->devices[index];
    const kt_device_info *info = kt_device_get_info(d->device);
    kt_status status = kt_report_add_device(report, info, kt_device_get_timer_limits(d->device));
    return status == KT_OK ? kt_report_set_device_state(report, info->id, &d->state) : status;
}

kt_status stage_report(const stage_contender *contender, kt_report *report)
{
    char name[32];
    snprintf(name, sizeof name, "%zu", contender->number);
    kt_status status = contender->result ? stage_report_device(contender, report) : KT_OK;
    uint32_t count = contender->result ? kt_result_series_count(contender->result) : 0;
    for (uint32_t i = 0; i < count && status == KT_OK; i++) {
        kt_series series = *kt_result_series(contender->result, i);
        series.name = name;
        if (contender->launch && launch_varies(contender->launch))
            series.verified = 0;
        status = kt_report_add_series(report, &series);
    }
    return status;
}

int stage_hand_over(const stage_child_state *s, const kt_report *report)
{
    char path[FOLDER_BYTES + 32];
    stage_path(s->folder, STAGE_RESULT, path);
    if (kt_report_write_file(report, KT_FORMAT_JSON, path) == KT_OK)
        return EXIT_DONE;
    fprintf(stderr, "kerntime run: %s\n", kt_error_text());
    return EXIT_FAILED;
}

/* ---- the process ---- */

/* Reads "STAGE:FOLDER". Returns false if it is none. */
static bool read_stage(const char *text, stage_child_state *s)
{
    const char *colon = strchr(text, ':');
    for (int i = 0; colon && stage_words[i]; i++)
        if (strlen(stage_words[i]) == (size_t)(colon - text) &&
            strncmp(stage_words[i], text, (size_t)(colon - text)) == 0) {
            s->kind = (stage_kind)i;
            s->folder = colon + 1;
            return true;
        }
    return false;
}

/* Makes the plan of the first process again, which has said all that there is to say. */
static int prepare(stage_child_state *s, const cli_options *options)
{
    int code = selection_make(options, &s->selected);
    if (code != EXIT_DONE)
        return code;
    selection_leave_out_software(&s->selected, options);
    s->plan = calloc(1, sizeof *s->plan);
    s->devices = calloc(s->selected.count + 1, sizeof *s->devices);
    code = s->plan && s->devices ? run_plan_make(options, &s->selected, s->plan) : EXIT_FAILED;
    if (code != EXIT_DONE)
        return code;
    s->chosen = calloc(stage_number_count(s->plan) + 1, sizeof *s->chosen);
    s->has_reference = calloc(s->plan->contest_count + 1, sizeof *s->has_reference);
    s->noted = calloc(s->plan->subject_count + 1, sizeof *s->noted);
    bool are_told =
        s->kind != STAGE_CHECK && (stage_number_count(s->plan) > 1 || options->measure.run > 0);
    for (size_t i = 0; s->noted && i <= s->plan->subject_count; i++)
        s->noted[i] = are_told;
    if (!s->chosen || !s->has_reference || !s->noted ||
        stage_list_read(s->folder, s->plan, s->chosen, s->has_reference) != 0)
        return EXIT_FAILED;
    return EXIT_DONE;
}

_Noreturn void stage_child(const cli_options *options)
{
    cli_options own = *options;
    stage_child_state s = {.options = &own, .begun = STAGE_NONE};
    s.lines = process_open_lines();
    if (!s.lines || !read_stage(options->stage, &s))
        process_leave(EXIT_USAGE);
    terminal_catch_passed_on();
    cli_options silent = own;
    silent.quiet = true; /* of what the first process has said */
    int code = prepare(&s, &silent);
    if (s.plan)
        s.plan->options = &own;
    if (s.plan && code == EXIT_DONE)
        code = s.kind == STAGE_CHECK  ? check_all(&s)
               : s.kind == STAGE_RACE ? stage_race(&s)
                                      : stage_measure_survivors(&s);
    fflush(s.lines);
    fflush(stderr);
    /* Its memories go with the process; drivers that were hurt hang when they are closed. */
    process_leave(code);
}
