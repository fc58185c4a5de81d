/* SPDX-License-Identifier: MIT */
/* stage_measure.c - measures the survivors of all contests in one process. */
#include "cli/output/output.h"
#include "cli/run/stage_child.h"
#include "cli/terminal/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *label_of(const stage_contender *c)
{
    const configuration *which = stage_configuration(c->stage->plan, c->number);
    return which->text[0] ? which->text : c->stage->plan->subjects[which->subject].name;
}

static int wider(int width, const char *text)
{
    int own = (int)strlen(text);
    return own > width ? own : width;
}

/* Warm-up, and the sampling time. */
static double planned_ns(const cli_options *options)
{
    int64_t time_ns = options->measure.max_time_ns;
    return 1.1 * (double)(time_ns ? time_ns : KT_MAX_TIME_DEFAULT_NS);
}

static void begin_rows(stage_child_state *s, stage_contender *contenders, size_t count)
{
    double each_ns = planned_ns(s->options);
    progress_begin(&s->progress, s->options->quiet, each_ns * (double)count,
                   s->options->measure.run, s->options->is_run ? s->options->runs : 0);
    for (size_t i = 0; i < count; i++) {
        const configuration *which = stage_configuration(s->plan, contenders[i].number);
        s->progress.label_width = wider(s->progress.label_width, label_of(&contenders[i]));
        s->progress.who_width =
            wider(s->progress.who_width, s->selected.devices[which->device].info.id);
    }
    for (size_t i = 0; i < count; i++) {
        contenders[i].shown = true;
        contenders[i].pace = pace_of_plan(each_ns);
        progress_part_begin(&contenders[i].part, &s->progress, label_of(&contenders[i]), each_ns);
    }
}

/* What a race left takes as many samples as in the race, unless the user says how many. */
static void set_samples(stage_child_state *s, stage_contender *contenders, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        kt_measure_options *o = &contenders[i].options;
        size_t contest = stage_configuration(s->plan, contenders[i].number)->contest;
        uint32_t samples = stage_fresh_samples(s, contest);
        if (!o->samples_min && !o->samples_max && samples > KT_SAMPLES_MIN_DEFAULT)
            o->samples_min = samples;
    }
}

static kt_status measure_all(stage_child_state *s, stage_contender *contenders, size_t count,
                             kt_report *report)
{
    /* Together, or one after another. */
    size_t step = s->options->sequential ? 1 : count;
    kt_status status = KT_OK;
    for (size_t i = 0; i < count && (i == 0 || !terminal_interrupted()); i += step)
        stage_measure(contenders + i, step);
    for (size_t i = 0; i < count && status == KT_OK; i++) {
        progress_part_end(&contenders[i].part);
        status = stage_report(&contenders[i], report);
    }
    progress_settle(&s->progress);
    progress_clear(&s->progress);
    for (size_t i = 0; i < count; i++)
        if (contenders[i].launch && !contenders[i].varies)
            stage_say_variation(s, contenders[i].number, contenders[i].launch);
    return status;
}

int stage_measure_survivors(stage_child_state *s)
{
    size_t count;
    stage_contender *contenders = stage_open_all(s, &count);
    kt_report *report = NULL;
    kt_trace *trace = NULL;
    bool traced = s->options->files[OUTPUT_TRACE] != NULL;
    const kt_report_desc desc = {.size = sizeof desc, .document = "result"};
    int code = EXIT_FAILED;
    if (contenders && kt_report_create(&report, &desc) == KT_OK &&
        (!traced || kt_trace_create(&trace, NULL) == KT_OK)) {
        for (size_t i = 0; i < count; i++)
            contenders[i].options.trace = trace;
        set_samples(s, contenders, count);
        begin_rows(s, contenders, count);
        if (measure_all(s, contenders, count, report) == KT_OK)
            code = stage_hand_over(s, report);
        char path[FOLDER_BYTES + 32];
        stage_path(s->folder, STAGE_TRACE, path);
        if (trace && code == EXIT_DONE)
            code = output_write_trace(s->options, trace, path);
    }
    kt_report_destroy(&report);
    stage_close_all(contenders, count);
    kt_trace_destroy(&trace);
    return code;
}
