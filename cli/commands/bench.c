/* SPDX-License-Identifier: MIT */
/* bench.c - the command `bench`: measures workloads on devices, and their baselines on this
 * machine. */
#include "cli/commands/commands.h"
#include "cli/kernel_file/kernel_file.h"
#include "cli/options/suggest.h"
#include "cli/session/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int refuse(const char *format, const char *text)
{
    fprintf(stderr, format, text);
    return EXIT_USAGE;
}

static int unknown_workload(const char *name)
{
    suggestion s = suggest_begin(name, strlen(name));
    for (const workload *const *w = workloads; *w; w++)
        suggest_consider(&s, (*w)->name);
    if (kernel_file_has_ending(name)) {
        fprintf(stderr, "kerntime bench: %s is a file; \"kerntime run %s\" times its kernels\n",
                name, name);
        return EXIT_USAGE;
    }
    fprintf(stderr, "kerntime bench: there is no workload \"%s\"; ", name);
    if (s.word) {
        fprintf(stderr, "did you mean \"%s\"?\n", s.word);
        return EXIT_USAGE;
    }
    fprintf(stderr, "there are");
    for (const workload *const *w = workloads; *w; w++)
        fprintf(stderr, "%s %s", w == workloads ? "" : ",", (*w)->name);
    fprintf(stderr, "\n");
    return EXIT_USAGE;
}

/* Chooses the requested variant of a workload that has variants. */
static int choose_variant(const cli_options *options, plan_item *item)
{
    const char *const *variants = item->workload->variants;
    item->variant = variants ? variants[0] : NULL;
    if (!options->variant || !variants)
        return EXIT_DONE;
    suggestion s = suggest_begin(options->variant, strlen(options->variant));
    for (; *variants; variants++) {
        suggest_consider(&s, *variants);
        if (strcmp(*variants, options->variant) == 0) {
            item->variant = *variants;
            return EXIT_DONE;
        }
    }
    fprintf(stderr, "kerntime bench: %s has no variant \"%s\"; ", item->workload->name,
            options->variant);
    if (s.word)
        fprintf(stderr, "did you mean \"%s\"?\n", s.word);
    else
        fprintf(stderr, "try \"kerntime bench --help\"\n");
    return EXIT_USAGE;
}

static int choose_sizes(const cli_options *options, plan_item *item)
{
    char reason[PARSE_WHY_BYTES];
    item->sizes = options->sizes;
    if (item->sizes.count == 0 && parse_size_list(item->workload->sizes, &item->sizes, reason) != 0)
        return refuse("kerntime bench: %s\n", reason);
    for (size_t i = 0; i < item->sizes.count; i++)
        if (item->sizes.values[i] > item->workload->size_max) {
            fprintf(stderr, "kerntime bench: --size %" PRIu64 ": %s goes up to %" PRIu64 "\n",
                    item->sizes.values[i], item->workload->name, item->workload->size_max);
            return EXIT_USAGE;
        }
    return EXIT_DONE;
}

/* Names what a workload lacks for the values of its figure; NULL: nothing. */
static const char *figure_lacks(const cli_options *options, const workload *which)
{
    switch (options->plot_values) {
    case KT_FIGURE_SPEEDUP:
    case KT_FIGURE_SPEEDUP_BEST: return which->baseline_count ? NULL : "has no CPU baseline";
    case KT_FIGURE_GBS: return which->bytes(1) ? NULL : "moves no memory";
    case KT_FIGURE_GFLOPS:
        return which->flops(1) > 0 ? NULL : "has no floating-point operations to count";
    default: return NULL;
    }
}

static int add_workload(const cli_options *options, const char *name, cli_plan *out)
{
    const workload *found = workload_find(name);
    if (!found)
        return unknown_workload(name);
    for (size_t i = 0; i < out->count; i++)
        if (out->items[i].workload == found)
            return EXIT_DONE;
    if (out->count == PLAN_ITEMS_MAX)
        return refuse("kerntime bench: too many workloads: %s\n", name);
    if (found->size_is_trials && options->measure.trials)
        return refuse("kerntime bench: --trials: for %s, --size is the number of dispatches\n",
                      name);
    if (options->measure.cold && found->size_is_trials)
        return refuse("kerntime bench: --cold: %s uses no memory, so no cache either\n", name);
    if (found->trials_max && options->measure.trials > found->trials_max) {
        fprintf(stderr,
                "kerntime bench: --trials %u: %s changes its own input, so it goes up to %u\n",
                options->measure.trials, name, found->trials_max);
        return EXIT_USAGE;
    }
    const char *lacks = figure_lacks(options, found);
    if (lacks) {
        fprintf(stderr, "kerntime bench: --plot-what %s: %s %s\n",
                plot_words[options->plot_values - KT_FIGURE_SPEEDUP], name, lacks);
        return EXIT_USAGE;
    }
    plan_item *item = &out->items[out->count++];
    *item = (plan_item){.workload = found};
    int code = choose_variant(options, item);
    return code == EXIT_DONE ? choose_sizes(options, item) : code;
}

/* Refuses a variant that no selected workload has. */
static int refuse_variant(const cli_options *options)
{
    fprintf(stderr, "kerntime bench: --variant %s: there is but one way to do", options->variant);
    for (int i = 0; i < options->operand_count; i++)
        fprintf(stderr, "%s %s", i ? "," : "", options->operands[i]);
    fprintf(stderr, "\n");
    return EXIT_USAGE;
}

/* Each of several ranks measures no baselines unless asked for: those of a node would slow each
 * other, and a plain loop over the work of a large GPU takes an hour. */
static bool wants_baselines(const cli_options *options)
{
    if (options->baseline_samples == BASELINE_SAMPLES_AUTO && launch_is_one_of_several(options))
        return false;
    /* Only the first of several runs measures them. */
    return options->baseline_samples && options->measure.run == 0;
}

static int make_plan(const cli_options *options, cli_selection *selected, cli_plan *out)
{
    if (options->operand_count == 0)
        return refuse("kerntime bench: which workload? %s\n",
                      "Try \"kerntime bench matmul\"; \"kerntime bench --list\" lists them.");
    bool variants = false, has_baselines = false;
    for (int i = 0; i < options->operand_count; i++) {
        int code = add_workload(options, options->operands[i], out);
        if (code != EXIT_DONE)
            return code;
        variants |= out->items[out->count - 1].variant != NULL;
        has_baselines |= out->items[out->count - 1].workload->baseline_count > 0;
    }
    if (options->variant && !variants)
        return refuse_variant(options);
    bool wanted = wants_baselines(options);
    for (size_t i = 0; i < selected->count && wanted; i++)
        out->baselines |= has_baselines && selected->devices[i].info.type != KT_DEVICE_SIMULATED;
    bool speedups =
        options->plot_values == KT_FIGURE_SPEEDUP || options->plot_values == KT_FIGURE_SPEEDUP_BEST;
    if (speedups && !options->is_run && !out->baselines)
        return refuse("kerntime bench: --plot-what %s: it needs a real device and "
                      "--baseline-samples above 0\n",
                      plot_words[options->plot_values - KT_FIGURE_SPEEDUP]);
    return EXIT_DONE;
}

static int list_workloads(void)
{
    for (const workload *const *w = workloads; *w; w++)
        printf("%-8s %s\n", (*w)->name, (*w)->summary);
    return EXIT_DONE;
}

int cmd_bench(const cli_options *options)
{
    if (options->list)
        return list_workloads();
    return session_run(options, make_plan);
}
