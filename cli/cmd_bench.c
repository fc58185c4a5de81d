#include "output.h"
#include "plan.h"
#include "progress.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A device of the selection, opened when first needed. */
typedef struct bench_device {
    const selected_device *selected;
    kt_device *device;
    const char *given_up; /* why it is not asked again; NULL: it is */
} bench_device;

typedef struct bench {
    const cli_options *options;
    kt_context *context;
    kt_report *report;
    cli_selection selected;
    bench_device *devices;
    cli_plan plan;
    cli_progress progress;
    bool failed;           /* something could not be measured */
    uint32_t not_possible; /* sizes over a device's limit */
    uint32_t measured;     /* everything else that was tried */
} bench;

/* One size of one workload, on its way through baselines and devices. */
typedef struct bench_case {
    const plan_item *item;
    uint64_t size;
    void *problem;
    char name[64];
    kt_param param;
    kt_job_desc desc; /* name, params and variant */
} bench_case;

/* A sentence on standard error, in place of the progress line. */
static void say(bench *b, const char *who, const char *where, const char *what)
{
    progress_clear(&b->progress);
    fprintf(stderr, "kerntime: %s%s%s: %s\n", who, where ? " on " : "", where ? where : "", what);
}

static void out_of_memory(bench *b)
{
    say(b, "bench", NULL, "out of memory");
    b->failed = true;
}

static void begin_case(const plan_item *item, uint64_t size, bench_case *c)
{
    *c = (bench_case){.item = item, .size = size};
    snprintf(c->name, sizeof c->name, "%s/%" PRIu64, item->workload->name, size);
    c->param = (kt_param){item->workload->param, (int64_t)size};
}

/* Called once `c` is where it stays: the description points into it. */
static void describe_case(bench_case *c)
{
    c->desc = (kt_job_desc){.size = sizeof c->desc,
                            .name = c->name,
                            .workload = c->item->workload->name,
                            .variant = c->item->variant,
                            .params = &c->param,
                            .param_count = 1};
}

/* ---- baselines ---- */

/* Reading the clock twice is some 25 ns of what it shows: a short run is repeated, unless it changes
 * its own input, which would then be another one. */
#define SHORT_RUN_NS 1e5
/* Too little to be told from the clock itself. */
#define SHORTEST_NS 250
/* What a first run pays for cold caches and for starting threads does not count in a long one. */
#define LONG_RUN_NS 1e7

static const char wrong_output[] = "the baseline gives wrong output";
static const char too_short[] = "the baseline is over too soon to be timed";

/* ns of a run, of so many in a row. */
static double time_baseline(const bench_case *c, const workload_baseline *baseline,
                            uint32_t repeats)
{
    c->item->workload->problem_reset(c->problem);
    int64_t begin_ns = kt_host_now_ns();
    for (uint32_t i = 0; i < repeats; i++)
        baseline->run(c->problem);
    return (double)(kt_host_now_ns() - begin_ns) / repeats;
}

/* Up to result->n samples. What is wrong with them, or NULL. */
static const char *sample_baseline(bench *b, const bench_case *c, const workload_baseline *baseline,
                                   double *samples_ns, kt_baseline *result)
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
        run_ns = time_baseline(c, baseline, 1); /* the first one was cold */
        repeats += run_ns < SHORT_RUN_NS ? (uint32_t)(SHORT_RUN_NS / (run_ns + 1)) : 0;
    }
    for (; n < count && !terminal_interrupted(); n++) {
        samples_ns[n] = time_baseline(c, baseline, repeats);
        progress_update(&b->progress, (double)(n + 1) / (double)count);
        if (!w->problem_check(c->problem))
            return wrong_output;
        if (samples_ns[n] * repeats < SHORTEST_NS)
            return too_short;
    }
    result->n = n;
    return NULL;
}

static void run_baseline(bench *b, const bench_case *c, const workload_baseline *baseline,
                         double *samples_ns)
{
    if (terminal_interrupted())
        return;
    uint32_t count = b->options->baseline_samples;
    char label[96];
    snprintf(label, sizeof label, "%s %s", c->name, baseline->name);
    progress_step(&b->progress, label, plan_baseline_ns(c->item, c->size, baseline->name) * count);
    kt_baseline result = {.workload = c->item->workload->name,
                          .params = &c->param,
                          .param_count = 1,
                          .name = baseline->name,
                          .flags = baseline->flags,
                          .samples_ns = samples_ns,
                          .n = count};
    const char *why = sample_baseline(b, c, baseline, samples_ns, &result);
    if (why) {
        say(b, c->name, baseline->name, why);
        b->failed |= why == wrong_output;
    } else if (result.n > 0 && kt_report_add_baseline(b->report, &result) != KT_OK) {
        out_of_memory(b);
    }
}

static void run_baselines(bench *b, const bench_case *c)
{
    const workload *w = c->item->workload;
    if (!b->plan.baselines || w->baseline_count == 0)
        return;
    double *samples_ns = malloc(b->options->baseline_samples * sizeof *samples_ns);
    if (!samples_ns) {
        out_of_memory(b);
        return;
    }
    for (uint32_t i = 0; i < w->baseline_count; i++)
        run_baseline(b, c, &w->baselines[i], samples_ns);
    free(samples_ns);
}

/* ---- devices ---- */

static int on_progress(void *user, const kt_progress *progress)
{
    progress_update(user, progress->fraction);
    return !terminal_interrupted();
}

/* A row for what could not be measured, and a sentence about it. */
static void fail_with(bench *b, const bench_case *c, const bench_device *d, kt_series_status status,
                      const char *error)
{
    if (status == KT_SERIES_NOT_POSSIBLE)
        b->not_possible++;
    else
        b->failed = true;
    say(b, c->name, d->selected->info.id, error);
    if (kt_report_add_failure(b->report, d->selected->info.id, &c->desc, status, error) != KT_OK)
        out_of_memory(b);
}

/* The same for a call that has just failed. */
static void fail_case(bench *b, const bench_case *c, const bench_device *d, kt_status status)
{
    fail_with(b, c, d, status == KT_LIMIT ? KT_SERIES_NOT_POSSIBLE : KT_SERIES_FAILED,
              status == KT_NO_MEMORY ? "out of memory" : kt_error_text());
}

static bool any_failed(const kt_result *result)
{
    for (uint32_t i = 0; i < kt_result_series_count(result); i++)
        if (kt_result_series(result, i)->status == KT_SERIES_FAILED)
            return true;
    return false;
}

/* A device that hangs or is lost would only do so again. */
static void give_up_if_gone(bench_device *d, kt_status status)
{
    if (status == KT_TIMEOUT)
        d->given_up = "the device did not answer before";
    else if (status == KT_DEVICE_LOST)
        d->given_up = "the device was lost before";
}

static void measure_run(bench *b, const bench_case *c, bench_device *d, workload_run *run)
{
    kt_measure_options options = b->options->measure;
    if (c->item->workload->size_is_trials)
        options.trials = (uint32_t)c->size;
    options.progress = on_progress;
    options.progress_user = &b->progress;
    kt_result *result = NULL;
    kt_status status = kt_measure(run->job, &options, &result);
    give_up_if_gone(d, status);
    if (!result) {
        fail_case(b, c, d, status);
        return;
    }
    b->measured++;
    if (status != KT_OK && status != KT_CANCELLED)
        say(b, c->name, d->selected->info.id, kt_error_text());
    b->failed |= status != KT_OK || any_failed(result);
    status = kt_report_add_device(b->report, kt_device_get_info(d->device),
                                  kt_device_get_ruler(d->device));
    if (status == KT_OK)
        status = kt_report_add_result(b->report, &result);
    if (status != KT_OK)
        out_of_memory(b);
    kt_result_destroy(&result);
}

/* Whether the device can hold the problem at all; asked before anything large is made. */
static kt_status check_limits(const bench_case *c, const kt_device_info *info, char *why,
                              size_t bytes)
{
    uint64_t wanted = c->item->workload->largest_bytes(c->size);
    if (!info->max_memory_bytes || wanted <= info->max_memory_bytes)
        return KT_OK;
    snprintf(why, bytes, "needs %" PRIu64 " bytes in one piece, the device gives %" PRIu64, wanted,
             info->max_memory_bytes);
    return KT_LIMIT;
}

static void measure_device(bench *b, bench_case *c, bench_device *d)
{
    char label[128];
    snprintf(label, sizeof label, "%s %.40s", c->name, d->selected->info.id);
    progress_step(&b->progress, label,
                  plan_measure_ns(c->item, c->size, &d->selected->info, b->options));
    if (!d->device && !d->given_up) {
        kt_status status = kt_device_open(b->context, d->selected->info.id, &d->device);
        if (status != KT_OK) {
            d->given_up = "the device could not be opened before";
            fail_case(b, c, d, status);
            return;
        }
    }
    workload_run run = {0};
    kt_job_desc desc = c->desc;
    kt_status status =
        workload_open(&run, c->item->workload, c->problem, d->device, c->size, &desc);
    give_up_if_gone(d, status);
    if (status == KT_OK)
        measure_run(b, c, d, &run);
    else
        fail_case(b, c, d, status);
    workload_close(&run);
}

/* ---- all of it ---- */

/* The devices that may be asked for this case; the others get their row at once. */
static size_t list_able(bench *b, const bench_case *c, bench_device **able)
{
    size_t count = 0;
    char why[160];
    for (size_t i = 0; i < b->selected.count; i++) {
        bench_device *d = &b->devices[i];
        if (d->given_up)
            fail_with(b, c, d, KT_SERIES_FAILED, d->given_up);
        else if (check_limits(c, &d->selected->info, why, sizeof why) != KT_OK)
            fail_with(b, c, d, KT_SERIES_NOT_POSSIBLE, why);
        else
            able[count++] = d;
    }
    return count;
}

static void run_case(bench *b, const plan_item *item, uint64_t size)
{
    bench_case c;
    begin_case(item, size, &c);
    describe_case(&c);
    bench_device **able = malloc(b->selected.count * sizeof(bench_device *));
    if (!able) {
        out_of_memory(b);
        return;
    }
    size_t count = list_able(b, &c, able);
    const workload *w = item->workload;
    if (count && w->problem_create && w->problem_create(size, &c.problem) != KT_OK) {
        for (size_t i = 0; i < count; i++)
            fail_with(b, &c, able[i], KT_SERIES_FAILED, "out of memory");
        count = 0;
    }
    if (count)
        run_baselines(b, &c);
    for (size_t i = 0; i < count && !terminal_interrupted(); i++)
        measure_device(b, &c, able[i]);
    if (c.problem)
        w->problem_destroy(c.problem);
    free(able);
}

static void print_plan(bench *b)
{
    double total_ns = plan_total_ns(&b->plan, b->options, &b->selected);
    size_t cases = 0;
    for (size_t i = 0; i < b->plan.count; i++)
        cases += b->plan.items[i].sizes.count;
    if (!b->options->quiet) {
        char time[32];
        fprintf(stderr, "%zu size%s on %zu device%s%s: %s\n", cases, cases == 1 ? "" : "s",
                b->selected.count, b->selected.count == 1 ? "" : "s",
                b->plan.baselines ? " and the CPU baselines" : "",
                progress_format_time(time, total_ns));
    }
    progress_begin(&b->progress, b->options->quiet, total_ns);
}

static int prepare(bench *b)
{
    int code = selection_create_context(b->options, &b->context);
    if (code == EXIT_DONE)
        code = selection_make(b->context, b->options, &b->selected);
    if (code == EXIT_DONE)
        code = plan_make(b->options, &b->selected, &b->plan);
    if (code == EXIT_DONE)
        code = output_check(b->options);
    if (code != EXIT_DONE)
        return code;
    if (b->selected.count == 0) {
        fprintf(stderr, "kerntime: there is no device here; \"kerntime devices\" tells why\n");
        return EXIT_UNAVAILABLE;
    }
    kt_report_desc desc = output_describe(b->options, "result");
    b->devices = calloc(b->selected.count, sizeof *b->devices);
    if (!b->devices || kt_report_create(&b->report, &desc) != KT_OK) {
        fprintf(stderr, "kerntime: out of memory\n");
        return EXIT_FAILED;
    }
    for (size_t i = 0; i < b->selected.count; i++) {
        b->devices[i].selected = &b->selected.devices[i];
        if (kt_report_add_device(b->report, &b->selected.devices[i].info, NULL) != KT_OK)
            return EXIT_FAILED;
    }
    return EXIT_DONE;
}

static int finish(bench *b)
{
    progress_clear(&b->progress);
    if (terminal_interrupted()) {
        fprintf(stderr, "kerntime: interrupted; what was measured so far follows\n");
        b->failed = true;
    }
    int code = output_write(b->options, b->report);
    if (code != EXIT_DONE)
        return code;
    if (b->failed)
        return EXIT_FAILED;
    /* Within a sweep, sizes that a device cannot hold are an answer; alone they are a wrong
     * question. */
    return b->not_possible && !b->measured ? EXIT_USAGE : EXIT_DONE;
}

int cmd_bench(const cli_options *options)
{
    bench b = {.options = options};
    int code = prepare(&b);
    if (code == EXIT_DONE) {
        plan_calibrate(&b.plan);
        print_plan(&b);
        terminal_catch_interrupt();
        for (size_t i = 0; i < b.plan.count; i++)
            for (size_t k = 0; k < b.plan.items[i].sizes.count && !terminal_interrupted(); k++)
                run_case(&b, &b.plan.items[i], b.plan.items[i].sizes.values[k]);
        code = finish(&b);
    }
    for (size_t i = 0; b.devices && i < b.selected.count; i++)
        kt_device_close(&b.devices[i].device);
    free(b.devices);
    kt_report_destroy(&b.report);
    selection_free(&b.selected);
    kt_context_destroy(&b.context);
    return code;
}
