/*
 * baselines.c - times the baselines. Each runs once untimed. A baseline under 0.1 ms is repeated
 * per sample, and one too short to time has no number. The sequential one is compiled without
 * vectorisation, because compilers differ in whether -O2 vectorises.
 */
#include "cli/session/session.h"
#include "cli/terminal/terminal.h"

#include <stdio.h>
#include <stdlib.h>

/* Reading the clock twice adds about 25 ns, so a short run is repeated, unless it changes its own
 * input and so would do other work. */
#define SHORT_RUN_NS 1e5
/* A baseline this short cannot be distinguished from reading the clock. */
#define SHORTEST_NS 250
/* Cold caches and thread start-up do not matter in a first run this long. */
#define LONG_RUN_NS 1e7

static const char wrong_output[] = "the baseline gives wrong output";
static const char too_short[] = "too short to time the baseline, so no SPEED-UP; raise --size";

/* Times `repeats` consecutive runs of a baseline. Returns ns per run. */
static double time_baseline(const session_case *c, const workload_baseline *baseline,
                            uint32_t repeats)
{
    c->item->workload->problem_reset(c->problem);
    int64_t begin_ns = kt_host_now_ns();
    for (uint32_t i = 0; i < repeats; i++)
        baseline->run(c->problem);
    return (double)(kt_host_now_ns() - begin_ns) / repeats;
}

/* Takes up to result->n samples. Returns an error message, or NULL. */
static const char *sample_baseline(const session_case *c, const workload_baseline *baseline,
                                   double *samples_ns, kt_baseline *result, progress_part *part)
{
    const workload *w = c->item->workload;
    size_t count = result->n, n = 0;
    double run_ns = time_baseline(c, baseline, 1);
    if (!w->problem_check(c->problem))
        return wrong_output;
    if (run_ns >= LONG_RUN_NS)
        samples_ns[n++] = run_ns;
    uint32_t repeats = 1;
    if (w->trials_max != 1 && run_ns < LONG_RUN_NS) {
        run_ns = time_baseline(c, baseline, 1); /* the first run was cold */
        repeats += run_ns < SHORT_RUN_NS ? (uint32_t)(SHORT_RUN_NS / (run_ns + 1)) : 0;
    }
    for (; n < count && !terminal_interrupted(); n++) {
        samples_ns[n] = time_baseline(c, baseline, repeats);
        progress_part_update(part, (double)(n + 1) / (double)count);
        if (!w->problem_check(c->problem))
            return wrong_output;
        if (samples_ns[n] * repeats < SHORTEST_NS)
            return too_short;
    }
    result->n = n;
    return NULL;
}

/* Shows the median as a lasting row while the rest is measured. */
static void show_row(session *s, const session_case *c, const kt_baseline *result, double *scratch)
{
    kt_summary summary;
    char text[32];
    kt_summarize(result->samples_ns, result->n, 0, scratch, &summary);
    progress_say_row(&s->progress, c->label, result->name,
                     kt_format_ns(text, sizeof text, summary.median));
}

/* `samples_ns` has room for twice the samples. */
static void run_baseline(session *s, const session_case *c, const workload_baseline *baseline,
                         double *samples_ns)
{
    if (terminal_interrupted())
        return;
    uint32_t count = s->options->baseline_samples;
    char label[96];
    snprintf(label, sizeof label, "%s %s", c->name, baseline->name);
    progress_part part;
    progress_part_begin(&part, &s->progress, label,
                        plan_baseline_ns(c->item, c->size, baseline->name) * count);
    kt_baseline result = {.workload = c->item->workload->name,
                          .params = &c->param,
                          .param_count = 1,
                          .name = baseline->name,
                          .flags = baseline->flags,
                          .samples_ns = samples_ns,
                          .n = count};
    const char *reason = sample_baseline(c, baseline, samples_ns, &result, &part);
    progress_part_end(&part);
    if (reason) {
        session_say(s, c->name, baseline->name, reason);
        s->failed |= reason == wrong_output;
    } else if (result.n > 0 && kt_report_add_baseline(s->report, &result) != KT_OK) {
        session_out_of_memory(s);
    } else if (result.n > 0) {
        show_row(s, c, &result, samples_ns + count);
    }
}

void session_run_baselines(session *s, const session_case *c)
{
    const workload *w = c->item->workload;
    if (!s->plan.baselines || w->baseline_count == 0)
        return;
    double *samples_ns = malloc(2 * s->options->baseline_samples * sizeof *samples_ns);
    if (!samples_ns) {
        session_out_of_memory(s);
        return;
    }
    for (uint32_t i = 0; i < w->baseline_count; i++)
        run_baseline(s, c, &w->baselines[i], samples_ns);
    workload_end_threads();
    free(samples_ns);
}
