/* SPDX-License-Identifier: MIT */
/*
 * baselines.c - times the baselines of a case. All take turns in blocks of samples, so that drift
 * and other programs affect all alike. Of several baselines with one name, such as "best" on one
 * thread and on all, the one with the lowest median counts: a team of threads that waits for a busy
 * core takes milliseconds, whatever its work.
 *
 * A short baseline is repeated per sample, and one too short to time has no number. The sequential
 * one is compiled without vectorisation, because compilers differ in whether -O2 vectorises.
 */
#include "cli/session/session.h"
#include "cli/terminal/terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A baseline this short cannot be distinguished from reading the clock. */
#define SHORTEST_NS 250
/* Browsers round their clock to 5 us, 100 us or 1 ms. A sample then takes at least ENOUGH_STEPS of
 * these steps, and a baseline that cannot be repeated at least SHORTEST_STEPS. */
#define COARSE_NS      1000
#define ENOUGH_STEPS   50
#define SHORTEST_STEPS 10
/* Cold caches and thread start-up do not matter in a run this long. */
#define LONG_RUN_NS 1e7
/* A baseline is given up if its median is that many times the one of another with its name. */
#define FAR_SLOWER 4

static const char wrong_output[] = "the baseline gives wrong output";
static const char too_short[] = "too short to time the baseline, so no SPEED-UP; raise --size";

/* One baseline of a case. */
typedef struct candidate {
    const session_case *c;
    const workload_baseline *baseline;
    double *samples_ns;
    size_t n;
    double step_ns;     /* resolution of the host's clock if it is coarse, else 0 */
    double fastest_ns;  /* of its single runs and samples, at most: plus one step */
    double used_ns;     /* wall time, with all that is untimed */
    const char *reason; /* why it has no number; NULL: it has, or may have */
    bool given_up;      /* another one with its name is far faster */
} candidate;

/* All baselines of a case. */
typedef struct candidates {
    session *session;
    candidate *list;
    uint32_t count;
    size_t most;     /* samples of each */
    bool timed;      /* takes fewer samples than that if they take long */
    double *scratch; /* room for `most` values */
} candidates;

/* Times `repeats` consecutive runs. Returns ns per run. */
static double time_runs(candidate *a, uint32_t repeats)
{
    a->c->item->workload->problem_reset(a->c->problem);
    int64_t begin_ns = kt_host_now_ns();
    for (uint32_t i = 0; i < repeats; i++)
        a->baseline->run(a->c->problem);
    double all_ns = (double)(kt_host_now_ns() - begin_ns);
    a->fastest_ns = fmin(a->fastest_ns, (all_ns + a->step_ns) / repeats);
    if (!a->c->item->workload->problem_check(a->c->problem))
        a->reason = wrong_output;
    return all_ns / repeats;
}

/* Reading the clock twice adds about 25 ns, so a short run is repeated, unless it changes its own
 * input and so would do other work. */
static uint32_t repeats_of(const candidate *a)
{
    double enough_ns = fmax(BASELINE_SAMPLE_NS, ENOUGH_STEPS * a->step_ns);
    bool repeated = a->c->item->workload->trials_max != 1 && a->fastest_ns < enough_ns;
    return repeated ? 1 + (uint32_t)(enough_ns / (a->fastest_ns + 1)) : 1;
}

/* A sample is taken again with more repeats if it shows that the runs before it were disturbed. */
static void take_sample(candidate *a)
{
    double shortest_ns = fmax(SHORTEST_NS, SHORTEST_STEPS * a->step_ns);
    uint32_t repeats;
    double ns;
    do {
        repeats = repeats_of(a);
        ns = time_runs(a, repeats);
    } while (ns * repeats < shortest_ns && repeats < repeats_of(a));
    a->samples_ns[a->n++] = ns;
    if (ns * repeats < shortest_ns)
        a->reason = too_short;
}

/* Whether a block that began with `n` samples and has taken `block_ns` takes one more. */
static bool wants_sample(const candidates *all, const candidate *a, size_t n, double block_ns)
{
    size_t block = (all->most - 1) / BASELINE_BLOCKS + 1;
    if (a->reason || a->n == all->most || a->n - n == block || terminal_interrupted())
        return false;
    if (!all->timed || a->n == 0)
        return true;
    if (a->used_ns + block_ns + a->fastest_ns > BASELINE_MAX_NS)
        return false;
    return a->n == n || block_ns < BASELINE_BLOCK_NS;
}

/* Takes a block of samples. A run before warms up the caches and the threads; if it is long and
 * the first of all, it is a sample itself. */
static void take_block(const candidates *all, candidate *a)
{
    size_t n = a->n;
    int64_t begin_ns = kt_host_now_ns();
    if (!wants_sample(all, a, n, 0))
        return;
    if (n == 0 || a->fastest_ns < LONG_RUN_NS) {
        double ns = time_runs(a, 1);
        if (n == 0 && ns >= LONG_RUN_NS)
            a->samples_ns[a->n++] = ns;
    }
    while (wants_sample(all, a, n, (double)(kt_host_now_ns() - begin_ns)))
        take_sample(a);
    workload_end_threads(); /* or they would slow down what runs next */
    a->used_ns += (double)(kt_host_now_ns() - begin_ns);
}

static double median_ns(const candidates *all, const candidate *a)
{
    kt_summary summary;
    kt_summarize(a->samples_ns, a->n, 0, all->scratch, &summary);
    return summary.median;
}

static bool same_name(const candidate *a, const candidate *b)
{
    return strcmp(a->baseline->name, b->baseline->name) == 0;
}

/* Ends those that cannot count any more: another one with the name is far faster, or has failed. */
static void give_up(const candidates *all)
{
    for (candidate *a = all->list; a < all->list + all->count; a++)
        for (const candidate *b = all->list; b < all->list + all->count; b++)
            if (a != b && same_name(a, b))
                a->given_up |= b->reason || median_ns(all, a) > FAR_SLOWER * median_ns(all, b);
}

static void sample_all(const candidates *all, progress_part *part)
{
    for (uint32_t block = 0; block < BASELINE_BLOCKS; block++) {
        for (uint32_t i = 0; i < all->count; i++) {
            if (!all->list[i].given_up)
                take_block(all, &all->list[i]);
            progress_part_update(part, (double)(block * all->count + i + 1) /
                                           (BASELINE_BLOCKS * all->count));
        }
        if (block > 0)
            give_up(all);
    }
}

/* Shows the median as a lasting row while the rest is measured. */
static void show_row(const candidates *all, const candidate *a)
{
    char text[32];
    progress_say_row(&all->session->progress, a->c->label, a->baseline->name,
                     kt_format_ns(text, sizeof text, median_ns(all, a)));
}

/* Adds the fastest one of a name to the report. */
static void report_name(const candidates *all, const candidate *first)
{
    session *s = all->session;
    const candidate *best = first;
    const char *reason = NULL;
    for (const candidate *a = first; a < all->list + all->count; a++) {
        if (!same_name(a, first))
            continue;
        reason = a->reason ? a->reason : reason;
        if (a->n > 0 && !(median_ns(all, best) <= median_ns(all, a)))
            best = a;
    }
    if (reason) {
        session_say(s, first->c->name, first->baseline->name, reason);
        s->failed |= reason == wrong_output;
        return;
    }
    const kt_baseline result = {.workload = first->c->item->workload->name,
                                .params = &first->c->param,
                                .param_count = 1,
                                .name = best->baseline->name,
                                .flags = best->baseline->flags,
                                .threads = best->baseline->parallel ? workload_threads() : 1,
                                .samples_ns = best->samples_ns,
                                .n = best->n};
    if (result.n == 0)
        return;
    if (kt_report_add_baseline(s->report, &result) != KT_OK)
        session_out_of_memory(s);
    else
        show_row(all, best);
}

static void report_all(const candidates *all)
{
    for (const candidate *a = all->list; a < all->list + all->count; a++) {
        const candidate *first = all->list;
        while (!same_name(first, a))
            first++;
        if (first == a)
            report_name(all, a);
    }
}

/* Resolution of the host's clock, 0 if it is finer than COARSE_NS. */
static double coarse_step_ns(void)
{
    int64_t now_ns = kt_host_now_ns(), step_ns = INT64_MAX;
    for (int i = 0; i < 4 && step_ns > COARSE_NS; i++) {
        int64_t before_ns = now_ns;
        while (now_ns == before_ns)
            now_ns = kt_host_now_ns();
        step_ns = now_ns - before_ns < step_ns ? now_ns - before_ns : step_ns;
    }
    return step_ns > COARSE_NS ? (double)step_ns : 0;
}

static void run_all(candidates *all, const session_case *c, double *samples_ns)
{
    const workload *w = c->item->workload;
    session *s = all->session;
    double step_ns = coarse_step_ns();
    for (uint32_t i = 0; i < w->baseline_count; i++) {
        if (w->baselines[i].parallel && workload_threads() == 1)
            continue;
        all->list[all->count++] = (candidate){.c = c,
                                              .baseline = &w->baselines[i],
                                              .samples_ns = samples_ns + i * all->most,
                                              .step_ns = step_ns,
                                              .fastest_ns = INFINITY};
    }
    char label[96];
    snprintf(label, sizeof label, "%s baselines", c->name);
    progress_part part;
    progress_part_begin(&part, &s->progress, label,
                        plan_baselines_ns(&s->plan, c->item, c->size, s->options));
    sample_all(all, &part);
    progress_part_end(&part);
    report_all(all);
}

void session_run_baselines(session *s, const session_case *c)
{
    const workload *w = c->item->workload;
    uint32_t wanted = s->options->baseline_samples;
    if (!s->plan.baselines || w->baseline_count == 0 || terminal_interrupted())
        return;
    candidates all = {.session = s, .timed = wanted == BASELINE_SAMPLES_AUTO};
    all.most = all.timed ? BASELINE_SAMPLES_MAX : wanted;
    all.list = calloc(w->baseline_count, sizeof *all.list);
    all.scratch = malloc((w->baseline_count + 1) * all.most * sizeof *all.scratch);
    if (all.list && all.scratch)
        run_all(&all, c, all.scratch + all.most);
    else
        session_out_of_memory(s);
    free(all.list);
    free(all.scratch);
}
