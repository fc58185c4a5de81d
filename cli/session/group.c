/* SPDX-License-Identifier: MIT */
/*
 * group.c - measures the plan. Its cases (one size of a workload each) form groups that fit in
 * memory together. All jobs of a group, on all devices, are measured interleaved, so that drift
 * affects all alike. With --order sequential each group is one case, and its jobs run one after
 * another. The report keeps the order of the plan in either case.
 *
 * A group takes at most a quarter of the memory of the host and of each device. A unit that runs
 * out of memory in a group is measured alone afterwards. If the first case does not fit, its units
 * are measured one after another, so that their memories never exist at once.
 */
#include "cli/output/text.h"
#include "cli/session/pace.h"
#include "cli/session/session.h"
#include "cli/terminal/terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A group may take 1 / MEMORY_SHARE of the memory of host and device, since other processes need
 * some, too. The largest case alone may take all of it. */
#define MEMORY_SHARE 4
/* Reports of progress before the first sample that decide whether a device is too slow: after first
 * use, and after the first round of warm-up. */
#define FIRST_REPORTS 3
/* Assumed memory of a host or device that reports none. */
#define MEMORY_UNKNOWN_BYTES (UINT64_C(2) << 30)

typedef enum unit_state {
    UNIT_TO_DO = 0,
    UNIT_MEASURED, /* the unit has a result, and possibly a message */
    UNIT_FAILED,   /* the unit has a message, for a row of status `series_status` */
    UNIT_LEFT_OUT  /* Ctrl-C came before any result, or the device is too slow */
} unit_state;

/* One case on one device. */
typedef struct unit {
    session *session;
    struct group *group;
    session_case *which;
    session_device *device;
    unit_state state;
    bool again; /* ran out of memory beside others: measure it alone */
    progress_part part;
    pace pace;
    workload_run run;
    kt_measure_options options;
    kt_status status;
    kt_series_status series_status;
    char error[256];
    kt_result *result;
    bool too_slow; /* the unit is left out: see is_left_out() */
    bool silent;   /* the unit prints no message, which would repeat another unit's */
    bool stopped;  /* another unit's work ended the device; see device->given_up */
    bool culprit;  /* this unit's work ended the device */
} unit;

typedef struct group {
    session *session;
    session_case *cases; /* cases of the whole plan */
    size_t case_count;
    unit *units; /* units of the group, one per case and device */
    size_t unit_count;
    const unit *latest;     /* the latest to report progress */
    bool alone;             /* one job is measured, and no other of its group comes */
    kt_measure_item *items; /* job of each unit, for the library */
    bool full;              /* no further case fits in memory */
    bool one_by_one;        /* not even the units of the first case fit in memory together */
    uint64_t host_bytes_max;
    uint64_t host_bytes; /* host memory needed so far */
    uint64_t *device_bytes;
} group;

/* ---- memory ---- */

static uint64_t share_of(uint64_t memory_bytes)
{
    return (memory_bytes ? memory_bytes : MEMORY_UNKNOWN_BYTES) / MEMORY_SHARE;
}

/* Adds the memory of a case to the group's. Returns false if there is no room for it. */
static bool count_in(group *g, const session_case *c)
{
    const session *s = g->session;
    const workload *w = c->item->workload;
    /* The problem has the same arrays, the output of baselines and the expected output. */
    uint64_t host_bytes =
        w->problem_create ? w->memory_bytes(c->size) + w->largest_bytes(c->size) : 0;
    for (size_t i = 0; i < s->selected.count; i++) {
        const kt_device_info *info = &s->selected.devices[i].info;
        if (!plan_has_size(c->item, &s->selected.devices[i], c->size))
            continue;
        plan_need need = plan_need_of(c->item, c->size, info);
        host_bytes += need.host_bytes;
        if (g->device_bytes[i] + need.device_bytes > share_of(info->memory_bytes))
            return false;
    }
    if (g->host_bytes + host_bytes > g->host_bytes_max)
        return false;
    g->host_bytes += host_bytes;
    for (size_t i = 0; i < s->selected.count; i++)
        if (plan_has_size(c->item, &s->selected.devices[i], c->size))
            g->device_bytes[i] +=
                plan_need_of(c->item, c->size, &s->selected.devices[i].info).device_bytes;
    return true;
}

/* ---- one job ---- */

static void fail_unit(unit *u, kt_series_status series_status, const char *error)
{
    u->state = UNIT_FAILED;
    u->series_status = series_status;
    snprintf(u->error, sizeof u->error, "%s", error);
}

/* Fails a unit with a call's error text. NULL: out of memory, without an error text. */
static void fail_unit_with(unit *u, kt_status status, const char *error)
{
    static const char short_of[] = "out of memory";
    fail_unit(u, status == KT_LIMIT ? KT_SERIES_NOT_POSSIBLE : KT_SERIES_FAILED,
              error ? error : short_of);
    if (status == KT_NO_MEMORY && error && strncmp(error, short_of, strlen(short_of)) != 0)
        snprintf(u->error, sizeof u->error, "%s: %.*s", short_of,
                 (int)(sizeof u->error - sizeof short_of - 2), error);
}

/* Gives up a device that hung or was lost: it would hang again. */
static void give_up_if_gone(unit *u, kt_status status)
{
    session_device *d = u->device;
    u->culprit = !d->given_up[0] && (status == KT_TIMEOUT || status == KT_DEVICE_LOST);
    int64_t timeout_ns = u->session->options->measure.timeout_ns;
    if (status == KT_TIMEOUT) {
        d->hangs = true;
        snprintf(d->given_up, sizeof d->given_up,
                 "the device did not answer within %g s in %s, and nothing more is measured on it; "
                 "--timeout gives it longer",
                 (double)(timeout_ns ? timeout_ns : KT_TIMEOUT_DEFAULT_NS) * 1e-9, u->which->label);
    } else if (status == KT_DEVICE_LOST && !d->given_up[0]) {
        snprintf(d->given_up, sizeof d->given_up,
                 "the device was lost before, and nothing more is measured on it");
    }
}

/* Formats the time measured so far, such as "12.82 ms ±4 %". */
static void estimate_text(const kt_progress *progress, char *text, size_t bytes)
{
    char time[32], half[32] = "";
    if (!isnan(progress->error))
        snprintf(half, sizeof half, progress->error < 0.1 ? " ±%.2g %%" : " ±%.0f %%",
                 100 * progress->error);
    snprintf(text, bytes, "%s%s%s", kt_format_ns(time, sizeof time, progress->median_ns), half,
             progress->is_wall ? " (wall)" : "");
}

/* ---- devices that are too slow ---- */

static uint64_t *too_slow_from(const unit *u)
{
    return &u->device->too_slow_from[u->which->item - u->session->plan.items];
}

/* Whether this device was too slow at a size of the workload that is not larger. */
static bool is_too_slow_before(const unit *u)
{
    uint64_t from = *too_slow_from(u);
    return from && u->which->size >= from;
}

/* Says that the device is left out, and how to have it measured. */
static void say_too_slow(const unit *u)
{
    const char *id = u->device->selected->info.id;
    const parse_sizes *sizes = &u->which->item->sizes;
    char time[32], text[256];
    bool larger = false;
    for (size_t i = 0; i < sizes->count; i++)
        larger |= sizes->values[i] > u->which->size;
    snprintf(text, sizeof text,
             "%sleft out: %s, more than all other devices together; -d %.40s measures it",
             larger ? "this and larger sizes are " : "",
             progress_format_time(time, pace_total_ns(&u->pace)), id);
    session_say(u->session, u->which->label, id, text);
}

/* Whether a software device that the user did not name is left out, since it was at a smaller size
 * or its first submissions show that it would take longer than all other devices together. */
static bool is_left_out(unit *u, const kt_progress *progress)
{
    double sum_ns = 0, longest_ns = 0;
    if (progress->samples || !selection_is_software(u->device->selected))
        return false;
    if (u->pace.reports == 1)
        return is_too_slow_before(u);
    /* Later runs leave out what the first one did, so that all have the same rows. */
    if (u->pace.round_ns == 0 || u->pace.reports > FIRST_REPORTS || u->session->options->left_out)
        return false;
    for (size_t i = 0; i < u->group->unit_count; i++) {
        const unit *other = &u->group->units[i];
        if (other == u || other->which != u->which || other->state == UNIT_FAILED ||
            other->too_slow)
            continue;
        sum_ns += pace_total_ns(&other->pace);
        longest_ns = fmax(longest_ns, pace_total_ns(&other->pace));
    }
    if (!pace_is_too_slow(pace_total_ns(&u->pace), sum_ns, longest_ns))
        return false;
    *too_slow_from(u) = u->which->size;
    say_too_slow(u);
    return true;
}

/* Jobs take turns there and back: in the second turn of one, all have had their first. */
static void notice_round(unit *u, const kt_progress *progress)
{
    group *g = u->group;
    if (progress->samples > 1 && g->latest && (g->latest > u || (g->latest == u && g->alone)))
        progress_round_over(&u->session->progress);
    g->latest = u;
}

/* Shows the progress of a measurement, and in its row the time measured so far. */
static int on_progress(void *user, const kt_progress *progress)
{
    unit *u = user;
    char estimate[80], text[96];
    pace_follow(&u->pace, &u->options, progress, kt_host_now_ns());
    u->too_slow = is_left_out(u, progress);
    if (u->too_slow)
        return 0;
    notice_round(u, progress);
    if (!isnan(progress->median_ns)) {
        estimate_text(progress, estimate, sizeof estimate);
        const char *state = progress->ended ? "" : progress->samples ? ", so far" : ", warming up";
        snprintf(text, sizeof text, "%s%s", estimate, state);
        progress_part_row(&u->part, u->which->label, u->device->selected->info.id, text,
                          progress->ended);
    }
    progress_part_follow(&u->part, u->pace.spent_ns, u->pace.left_ns);
    return !terminal_interrupted();
}

static kt_status open_device(session *s, session_device *d)
{
    const char *id = d->selected->info.id;
    kt_device_state state;
    if (d->device)
        return KT_OK;
    kt_status status = kt_device_open(s->selected.context, id, &d->device);
    if (status == KT_OK && kt_device_get_state(d->device, &state) == KT_OK)
        (void)kt_report_set_device_state(s->report, id, &state);
    return status;
}

/* Opens the device, if needed, and the problem on it. */
static void open_unit(unit *u)
{
    session *s = u->session;
    session_device *d = u->device;
    const session_case *c = u->which;
    char label[128];
    snprintf(label, sizeof label, "%.80s %.40s", c->label, d->selected->info.id);
    if (!u->again)
        progress_part_begin(&u->part, &s->progress, label, u->pace.planned_ns);
    u->again = false;
    if (d->given_up[0]) {
        fail_unit(u, KT_SERIES_FAILED, d->given_up);
        return;
    }
    kt_status status = open_device(s, d);
    if (status != KT_OK) {
        snprintf(d->given_up, sizeof d->given_up, "the device could not be opened before");
        u->culprit = true;
        fail_unit_with(u, status, kt_error_text());
        return;
    }
    kt_job_desc desc = c->desc;
    char before[sizeof u->error];
    snprintf(before, sizeof before, "%s", kt_error_text());
    status = workload_open(&u->run, c->item->workload, c->problem, d->device, c->size, &desc);
    give_up_if_gone(u, status);
    u->status = status;
    if (status != KT_OK) {
        /* An old error text is unrelated, unless a unit failed with the same just before. */
        const char *text = kt_error_text();
        bool is_old = strcmp(before, text) == 0 && strcmp(s->memory_error, text) != 0;
        fail_unit_with(u, status == KT_UNSUPPORTED ? KT_LIMIT : status,
                       status == KT_NO_MEMORY && is_old ? NULL : text);
        if (status == KT_NO_MEMORY && !is_old)
            snprintf(s->memory_error, sizeof s->memory_error, "%s", text);
        workload_close(&u->run); /* frees the unit's memory for the other units */
    }
    u->options = s->options->measure;
    u->options.trace = s->trace;
    if (c->item->workload->size_is_trials)
        u->options.trials = (uint32_t)c->size;
    u->options.progress = on_progress;
    u->options.progress_user = u;
}

static bool has_samples(const kt_result *result)
{
    for (uint32_t i = 0; i < kt_result_series_count(result); i++)
        if (kt_result_series(result, i)->summary.n > 0)
            return true;
    return false;
}

/* Records the outcome of a measured job. */
static void take_outcome(unit *u, kt_measure_item *item)
{
    bool cancelled = item->status == KT_CANCELLED;
    bool gone = item->status == KT_DEVICE_LOST;
    u->stopped = gone && u->device->hangs;
    u->status = item->status;
    if (item->result && !has_samples(item->result) && (cancelled || gone))
        kt_result_destroy(&item->result);
    if (cancelled && !item->result) {
        u->state = UNIT_LEFT_OUT;
    } else if (item->result) {
        u->state = UNIT_MEASURED;
        u->result = item->result;
        snprintf(u->error, sizeof u->error, "%s", item->error);
    } else {
        /* The device cannot measure the job with these options, for example --cold. */
        kt_status status = item->status == KT_UNSUPPORTED ? KT_LIMIT : item->status;
        fail_unit_with(u, status, u->stopped ? u->device->given_up : item->error);
    }
}

/* A unit that ran out of memory beside others may fit alone. */
static void try_again_alone(unit *u)
{
    if (u->status != KT_NO_MEMORY)
        return;
    kt_result_destroy(&u->result);
    u->state = UNIT_TO_DO;
    u->again = true;
}

/* Opens `count` units, measures them together, and closes them. */
static void measure_together(group *g, unit *units, size_t count)
{
    uint32_t open = 0;
    for (size_t i = 0; i < count; i++) {
        if (units[i].state != UNIT_TO_DO)
            continue;
        open_unit(&units[i]);
        if (units[i].state == UNIT_TO_DO)
            g->items[open++] =
                (kt_measure_item){.job = units[i].run.job, .options = &units[i].options};
    }
    g->latest = NULL;
    g->alone = open == 1 && count == g->unit_count;
    kt_measure_all(g->items, open);
    for (uint32_t i = 0, item = 0; i < count; i++)
        if (units[i].state == UNIT_TO_DO)
            give_up_if_gone(&units[i], g->items[item++].status);
    for (uint32_t i = 0, item = 0; i < count; i++) {
        if (units[i].state == UNIT_TO_DO)
            take_outcome(&units[i], &g->items[item++]);
        progress_part_end(&units[i].part);
        workload_close(&units[i].run);
        if (count > 1)
            try_again_alone(&units[i]);
    }
}

/* ---- reporting ---- */

static bool any_failed(const kt_result *result)
{
    for (uint32_t i = 0; i < kt_result_series_count(result); i++)
        if (kt_result_series(result, i)->status == KT_SERIES_FAILED)
            return true;
    return false;
}

/* Whether the message about the device's end (say_given_up()) covers this unit. */
static bool ended_by_another(const unit *u)
{
    bool gone = u->status == KT_DEVICE_LOST || u->status == KT_TIMEOUT;
    bool never_asked = u->state == UNIT_FAILED && strcmp(u->error, u->device->given_up) == 0;
    return u->device->given_up[0] && !u->culprit && (gone || never_asked);
}

/* Prints the unit's message, unless a common message covers it. */
static void say_outcome(session *s, const unit *u)
{
    if (ended_by_another(u))
        *(u->state == UNIT_MEASURED ? &u->device->cut_short : &u->device->left_out) += 1;
    else if (!u->silent)
        session_say(s, u->which->label, u->device->selected->info.id, u->error);
}

/* Prints how much was not measured after the device hung or was lost. The unit that caused it has
 * its own message. */
static void say_given_up(session *s, const session_device *d)
{
    char counts[64], text[sizeof counts + sizeof d->given_up + 32];
    uint32_t count = d->cut_short + d->left_out;
    if (count == 0)
        return;
    if (d->cut_short && d->left_out)
        snprintf(counts, sizeof counts, "cut short and %u left out", d->left_out);
    else
        snprintf(counts, sizeof counts, "%s", d->cut_short ? "cut short" : "left out");
    uint32_t first = d->cut_short ? d->cut_short : d->left_out;
    snprintf(text, sizeof text, "%u more measurement%s %s %s: %s", first, text_plural(first),
             count == 1 ? "was" : "were", counts, d->given_up);
    session_say(s, s->options->command, d->selected->info.id, text);
}

/* Reports a unit that could not be measured: a row and a message. */
static void report_failure(session *s, unit *u)
{
    const char *id = u->device->selected->info.id;
    if (u->series_status == KT_SERIES_NOT_POSSIBLE)
        s->not_possible++;
    else
        s->failed = true;
    say_outcome(s, u);
    if (kt_report_add_failure(s->report, id, &u->which->desc, u->series_status, u->error) != KT_OK)
        session_out_of_memory(s);
}

/* Adds a stopped unit's row, with the cause instead of the library's text about a hung device. */
static kt_status add_stopped(kt_report *report, const unit *u)
{
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < kt_result_series_count(u->result) && status == KT_OK; i++) {
        kt_series series = *kt_result_series(u->result, i);
        if (series.error && strcmp(series.error, u->error) == 0)
            series.error = u->device->given_up;
        status = kt_report_add_series(report, &series);
    }
    return status;
}

static void report_result(session *s, unit *u)
{
    if (!plan_is_beside(u->which->item, u->device->selected))
        s->measured++;
    if (u->status != KT_OK && u->status != KT_CANCELLED)
        say_outcome(s, u);
    s->failed |= u->status != KT_OK || any_failed(u->result);
    kt_status status = kt_report_add_device(s->report, kt_device_get_info(u->device->device),
                                            kt_device_get_timer_limits(u->device->device));
    if (status == KT_OK)
        status =
            u->stopped ? add_stopped(s->report, u) : kt_report_add_result(s->report, &u->result);
    if (status != KT_OK)
        session_out_of_memory(s);
    kt_result_destroy(&u->result);
}

static void report_units(group *g)
{
    for (size_t i = 0; i < g->unit_count; i++) {
        if (g->units[i].state == UNIT_MEASURED)
            report_result(g->session, &g->units[i]);
        else if (g->units[i].state == UNIT_FAILED)
            report_failure(g->session, &g->units[i]);
    }
}

/* ---- one group ---- */

static void destroy_problem(session_case *c)
{
    if (c->problem)
        c->item->workload->problem_destroy(c->problem);
    c->problem = NULL;
}

/* Adds the units of one more case and fails impossible ones at once. Returns the number of possible
 * units. */
static size_t add_units(group *g, session_case *c)
{
    session *s = g->session;
    size_t able = 0;
    char reason[256];
    for (size_t i = 0; i < s->selected.count; i++) {
        if (!plan_has_size(c->item, &s->selected.devices[i], c->size))
            continue;
        unit *u = &g->units[g->unit_count++];
        *u = (unit){.session = s, .group = g, .which = c, .device = &s->devices[i]};
        u->pace =
            pace_of_plan(plan_measure_ns(c->item, c->size, &u->device->selected->info, s->options));
        if (u->device->given_up[0])
            fail_unit(u, KT_SERIES_FAILED, u->device->given_up);
        else if (plan_impossible(c->item, c->size, &u->device->selected->info, reason,
                                 sizeof reason))
            fail_unit(u, KT_SERIES_NOT_POSSIBLE, reason);
        else
            able++;
        if (u->state == UNIT_FAILED && c->item->is_copy)
            u->silent = direction_offered(&u->device->selected->info, &c->item->direction)
                            ? plan_impossible_before(&s->plan, c->item, c->size,
                                                     u->device->selected, u->error)
                            : c->size != c->item->sizes.values[0];
    }
    return able;
}

/* Adds a case to the group. Returns false if there is no memory for it beside the others. */
static bool add_case(group *g, session_case *c)
{
    const workload *w = c->item->workload;
    bool first = g->unit_count == 0;
    size_t old_count = g->unit_count;
    if (add_units(g, c) == 0)
        return true;
    bool fits = !g->full && count_in(g, c);
    g->full |= !fits;
    g->one_by_one |= first && !fits;
    if ((fits || first) && (!w->problem_create || w->problem_create(c->size, &c->problem) == KT_OK))
        return true;
    c->problem = NULL;
    if (!first) {
        g->unit_count = old_count;
        return false;
    }
    for (size_t i = old_count; i < g->unit_count; i++)
        if (g->units[i].state == UNIT_TO_DO)
            fail_unit(&g->units[i], KT_SERIES_FAILED, "out of memory");
    return true;
}

/* End of the units that belong to the same case as `first`. */
static size_t end_of_case(const group *g, size_t first)
{
    size_t end = first + 1;
    while (end < g->unit_count && g->units[end].which == g->units[first].which)
        end++;
    return end;
}

/* Measures each unit that ran out of memory alone, after all other problems are freed. */
static void measure_alone(group *g)
{
    for (size_t i = 0, end; i < g->unit_count; i = end) {
        bool needed = false;
        end = end_of_case(g, i);
        for (size_t k = i; k < end; k++)
            needed |= g->units[k].again;
        if (!needed)
            destroy_problem(g->units[i].which);
    }
    for (size_t i = 0, end; i < g->unit_count && !terminal_interrupted(); i = end) {
        end = end_of_case(g, i);
        for (size_t k = i; k < end && !terminal_interrupted(); k++)
            if (g->units[k].again)
                measure_together(g, &g->units[k], 1);
        destroy_problem(g->units[i].which);
    }
}

/* Measures a group that begins with this case. Returns its number of cases. */
static size_t measure_group(group *g, size_t first)
{
    session *s = g->session;
    g->unit_count = 0;
    g->full = g->one_by_one = false;
    g->host_bytes = 0;
    memset(g->device_bytes, 0, s->selected.count * sizeof *g->device_bytes);
    size_t most = s->options->sequential ? first + 1 : g->case_count, end = first;
    while (end < most && add_case(g, &g->cases[end]))
        end++;
    for (size_t i = first; i < end; i++)
        if (g->cases[i].problem || !g->cases[i].item->workload->problem_create)
            session_run_baselines(s, &g->cases[i]);
    /* Units run one at a time or all together. */
    size_t step = s->options->sequential || g->one_by_one ? 1 : g->unit_count;
    for (size_t i = 0; i < g->unit_count && !terminal_interrupted(); i += step)
        measure_together(g, &g->units[i], step);
    measure_alone(g);
    progress_round_over(&s->progress);
    progress_settle(&s->progress);
    report_units(g);
    for (size_t i = first; i < end; i++)
        destroy_problem(&g->cases[i]);
    return end - first;
}

/* ---- the whole plan ---- */

static void begin_case(const plan_item *item, uint64_t size, session_case *c)
{
    *c = (session_case){.item = item, .size = size};
    snprintf(c->name, sizeof c->name, "%s/%" PRIu64, item->workload->name, size);
    snprintf(c->label, sizeof c->label, "%s%s%s", c->name, item->is_copy ? " " : "",
             item->is_copy ? item->variant : "");
    c->param = (kt_param){item->workload->param, (int64_t)size};
    c->desc = (kt_job_desc){.size = sizeof c->desc,
                            .name = c->name,
                            .workload = item->workload->name,
                            .variant = item->variant,
                            .params = &c->param,
                            .param_count = 1};
    if (!item->is_copy)
        return;
    c->step = (kt_step){.kind = KT_STEP_COPY, .copy_bytes = size};
    c->desc.steps = &c->step;
    c->desc.step_count = 1;
}

static int wider(int width, const char *text)
{
    int own = (int)strlen(text);
    return own > width ? own : width;
}

/* Rows of all groups, and of baselines, are aligned. */
static void align_rows(session *s, const session_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        s->progress.label_width = wider(s->progress.label_width, cases[i].label);
    s->progress.who_width = s->plan.baselines ? (int)strlen("sequential") : 0;
    for (size_t i = 0; i < s->selected.count; i++)
        s->progress.who_width = wider(s->progress.who_width, s->selected.devices[i].info.id);
}

/* Lists the cases of a plan; returns their number. */
static size_t list_cases(const cli_plan *plan, session_case *cases)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++)
        for (size_t k = 0; k < plan->items[i].sizes.count; k++)
            begin_case(&plan->items[i], plan->items[i].sizes.values[k], &cases[count++]);
    return count;
}

void session_measure_plan(session *s)
{
    group g = {.session = s, .host_bytes_max = share_of(kt_host_memory_bytes())};
    size_t case_count = plan_case_count(&s->plan);
    size_t unit_count = case_count * s->selected.count;
    g.cases = calloc(case_count, sizeof *g.cases);
    g.units = calloc(unit_count, sizeof *g.units);
    g.items = calloc(unit_count, sizeof *g.items);
    g.device_bytes = calloc(s->selected.count, sizeof *g.device_bytes);
    if (g.cases && g.units && g.items && g.device_bytes) {
        g.case_count = list_cases(&s->plan, g.cases);
        align_rows(s, g.cases, g.case_count);
        for (size_t i = 0; i < g.case_count && !terminal_interrupted();)
            i += measure_group(&g, i);
        for (size_t i = 0; i < s->selected.count; i++)
            say_given_up(s, &s->devices[i]);
    } else {
        session_out_of_memory(s);
    }
    free(g.cases);
    free(g.units);
    free(g.items);
    free(g.device_bytes);
}
