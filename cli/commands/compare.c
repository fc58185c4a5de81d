/* SPDX-License-Identifier: MIT */
/*
 * compare.c - the command `compare`: shows what changed between result files, with which
 * confidence.
 *
 * Exit code 5 (inconclusive, or nothing comparable) is neither success nor regression. It lets a CI
 * job decide what that means for it.
 */
#include "cli/commands/commands.h"
#include "cli/output/output.h"
#include "cli/output/text.h"
#include "cli/result_file/read_result.h"
#include "cli/terminal/terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Noise from run to run that is assumed of programs, which do more than a benchmark between their
 * times. */
#define PROGRAM_NOISE 0.05

/* Traces keep times in buckets 1.6 % to 3.1 % wide: no number of runs shows much smaller changes. */
#define TRACED_MIN_EFFECT 0.03

/* ---- choosing files ---- */

/* Takes the files from the operands or the options. */
static int choose_files(const cli_options *options, cli_side *base, cli_side *new)
{
    bool by_options = options->baseline.count || options->contender.count;
    const char *wrong = NULL;
    *base = options->baseline;
    *new = options->contender;
    if (by_options && options->operand_count) {
        fprintf(stderr,
                "kerntime compare: %s: --baseline and --contender take one file each; repeat them "
                "for more: "
                "--baseline a.json --baseline b.json\n",
                options->operands[0]);
        return EXIT_USAGE;
    }
    if (by_options && (!base->count || !new->count))
        wrong = base->count ? "--contender is missing: --baseline names the baseline alone"
                            : "--baseline is missing: --contender names the contender alone";
    else if (!by_options && options->operand_count < 2)
        wrong = options->operand_count
                    ? "CONTENDER is missing: it takes two result files, BASELINE and CONTENDER"
                    : "it takes two result files, BASELINE and CONTENDER";
    else if (options->operand_count > 2)
        wrong = "it takes two result files, BASELINE and CONTENDER; --baseline and --contender "
                "take more, each repeated";
    if (wrong) {
        fprintf(stderr, "kerntime compare: %s\n", wrong);
        return EXIT_USAGE;
    }
    if (!by_options) {
        *base = (cli_side){.files = {options->operands[0]}, .count = 1};
        *new = (cli_side){.files = {options->operands[1]}, .count = 1};
    }
    return EXIT_DONE;
}

/* Refuses a file given twice: its run would count as two runs that agree. */
static int check_once(const cli_side *side, const char *option)
{
    for (uint32_t i = 0; i < side->count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (kt_path_is_same(side->files[k], side->files[i])) {
                fprintf(stderr, "kerntime compare: %s: %s is named twice\n", option,
                        side->files[i]);
                return EXIT_USAGE;
            }
    return EXIT_DONE;
}

static int check_kept(const cli_options *options, const cli_side *side)
{
    for (int output = 0; output < OUTPUT_COUNT; output++)
        for (uint32_t i = 0; options->files[output] && i < side->count; i++)
            if (kt_path_is_same(options->files[output], side->files[i])) {
                fprintf(stderr, "kerntime compare: %s would be written over, and it is compared\n",
                        options->files[output]);
                return EXIT_USAGE;
            }
    return EXIT_DONE;
}

/* ---- reading files ---- */

typedef struct side {
    const cli_side *named;
    kt_report *reports[OPTIONS_RESULTS_MAX];
    read_kind kinds[OPTIONS_RESULTS_MAX];
} side;

static int read_file(const char *path, read_kind *kind, kt_report **out)
{
    /* Documents that are not results, and their descriptions. */
    static const cli_term others[] = {{"devices", "a list of devices"},
                                      {"doctor", "what \"kerntime doctor\" found"}};
    char reason[READ_REASON_BYTES];
    if (strcmp(path, "-") == 0) {
        fprintf(stderr, "kerntime compare: -: standard input is named /dev/stdin\n");
        return EXIT_USAGE;
    }
    int result = read_times_file(path, kind, out, reason);
    if (result != READ_DONE) {
        fprintf(stderr, "kerntime compare: %s: %s\n", path, reason);
        return result == READ_NO_MEMORY ? EXIT_FAILED : EXIT_USAGE;
    }
    const char *document = kt_report_get_desc(*out)->document;
    if (strcmp(document, "result") == 0)
        return EXIT_DONE;
    fprintf(stderr, "kerntime compare: %s: it is %s, not a result: it has no times to compare\n",
            path, others[strcmp(document, others[0].name) != 0].meaning);
    return EXIT_USAGE;
}

static int read_side(side *to, const cli_side *named)
{
    int code = EXIT_DONE;
    to->named = named;
    for (uint32_t i = 0; i < named->count && code == EXIT_DONE; i++)
        code = read_file(named->files[i], &to->kinds[i], &to->reports[i]);
    return code;
}

/* Refuses files of several kinds: their times were obtained in different ways. */
static int check_kinds(const side *base, const side *new)
{
    static const char *const names[] = {[READ_RESULT] = "a result",
                                        [READ_REGISTRY] = "a registry",
                                        [READ_TRACE] = "a trace",
                                        [READ_TRACED] = "a result of kerntime trace"};
    const side *const sides[] = {base, new};
    for (int s = 0; s < 2; s++)
        for (uint32_t i = 0; i < sides[s]->named->count; i++)
            if (sides[s]->kinds[i] != base->kinds[0]) {
                fprintf(stderr,
                        "kerntime compare: %s is %s and %s is %s: compare files of one kind\n",
                        base->named->files[0], names[base->kinds[0]], sides[s]->named->files[i],
                        names[sides[s]->kinds[i]]);
                return EXIT_USAGE;
            }
    return EXIT_DONE;
}

static void free_side(side *of)
{
    for (uint32_t i = 0; i < OPTIONS_RESULTS_MAX; i++)
        kt_report_destroy(&of->reports[i]);
}

/* ---- next steps ---- */

/* The command that measured a side; NULL: not a kerntime command. */
static const char *command_of(const side *of)
{
    const kt_report_desc *desc = kt_report_get_desc(of->reports[0]);
    const char *name = desc->command_count ? desc->command[0] : "";
    const cli_command *command = command_find(name);
    return command && command->run != cmd_compare ? command->name : NULL;
}

#define ADVICE_BYTES 256

static void advise_on_noise(double wanted, bool is_traced, const kt_compare_outlook *of,
                            bool by_command)
{
    bool is_coarse = is_traced && wanted < TRACED_MIN_EFFECT;
    char text[ADVICE_BYTES];
    int used = snprintf(text, sizeof text,
                        "%u of %u inconclusive row%s would take more than %d "
                        "runs each",
                        of->noisy, of->inconclusive, text_plural(of->inconclusive), KT_RUNS_USUAL);
    char *rest = text + used;
    size_t room = sizeof text - (size_t)used;
    if (isnan(of->min_effect))
        snprintf(rest, room, ", if runs differ as assumed: %s what can be decided here",
                 by_command ? "--runs 5 shows" : "five files of each show");
    else if (is_coarse)
        snprintf(rest, room,
                 ": times in traces have a resolution of up to 3 %%, too coarse for %.3g %%: "
                 "--min-effect 3%%",
                 100 * wanted);
    else if (of->min_effect < 1)
        snprintf(rest, room,
                 ": this machine is too noisy for %.3g %%; quiet it, or ask for what it "
                 "can decide: --min-effect %.3g%%",
                 100 * wanted, 100 * of->min_effect);
    else
        snprintf(rest, room, ": this machine is too noisy for %.3g %%; quiet it", 100 * wanted);
    terminal_say("advice", text);
}

static void advise(double min_effect, const side *base, const kt_report_comparison *comparison)
{
    kt_compare_outlook of;
    const char *command = command_of(base);
    kt_report_comparison_outlook(comparison, &of);
    char text[ADVICE_BYTES], decided[80];
    bool is_traced = base->kinds[0] == READ_TRACED;
    snprintf(decided, sizeof decided, "would decide %u of %u inconclusive row%s", of.decided,
             of.inconclusive, text_plural(of.inconclusive));
    if (of.decided && is_traced)
        snprintf(text, sizeof text, "%u runs each %s: kerntime trace --runs %u ...", of.runs,
                 decided, of.runs);
    else if (of.decided && command)
        snprintf(text, sizeof text, "%u runs each %s: kerntime %s ... --runs %u", of.runs, decided,
                 command, of.runs);
    else
        snprintf(text, sizeof text, "%u files of each %s", of.runs, decided);
    if (of.decided && (command || base->kinds[0] != READ_RESULT))
        terminal_say("advice", text);
    if (of.noisy)
        advise_on_noise(min_effect, is_traced, &of, command || is_traced);
}

static int exit_code_of(kt_verdict verdict, bool gate_likely)
{
    switch (verdict) {
    case KT_VERDICT_SAME:
    case KT_VERDICT_FASTER: return EXIT_DONE;
    case KT_VERDICT_SLOWER: return EXIT_SLOWER;
    case KT_VERDICT_LIKELY_SLOWER: return gate_likely ? EXIT_SLOWER : EXIT_UNDECIDED;
    default: return EXIT_UNDECIDED;
    }
}

static int compare(const cli_options *options, const side *base, const side *new)
{
    const kt_compare_side sides[] = {
        {(const kt_report *const *)base->reports, base->named->files, base->named->count},
        {(const kt_report *const *)new->reports, new->named->files, new->named->count}};
    const kt_report_desc desc = output_describe(options, "compare");
    kt_compare_options how = options->compare;
    how.timing = options->measure.timing;
    if (base->kinds[0] != READ_RESULT && !(how.run_noise > 0))
        how.run_noise = PROGRAM_NOISE;
    if (!(how.min_effect > 0))
        how.min_effect = base->kinds[0] == READ_TRACED ? TRACED_MIN_EFFECT : KT_MIN_EFFECT_DEFAULT;
    kt_report_comparison *comparison = NULL;
    kt_status status = kt_report_compare(&sides[0], &sides[1], &how, &desc, &comparison);
    if (status != KT_OK) {
        fprintf(stderr, "kerntime compare: %s\n", kt_error_text());
        return status == KT_INVALID ? EXIT_USAGE : EXIT_FAILED;
    }
    int code = output_write_comparison(options, comparison);
    if (!options->quiet)
        advise(how.min_effect, base, comparison);
    if (code == EXIT_DONE)
        code = exit_code_of(kt_report_comparison_verdict(comparison), options->gate_likely);
    kt_report_comparison_destroy(&comparison);
    return code;
}

int cmd_compare(const cli_options *options)
{
    cli_side base_files, new_files;
    side base = {0}, new = {0};
    int code = choose_files(options, &base_files, &new_files);
    if (code == EXIT_DONE)
        code = output_check(options);
    if (code == EXIT_DONE)
        code = check_once(&base_files, "--baseline");
    if (code == EXIT_DONE)
        code = check_once(&new_files, "--contender");
    if (code == EXIT_DONE)
        code = check_kept(options, &base_files);
    if (code == EXIT_DONE)
        code = check_kept(options, &new_files);
    if (code == EXIT_DONE)
        code = read_side(&base, &base_files);
    if (code == EXIT_DONE)
        code = read_side(&new, &new_files);
    if (code == EXIT_DONE)
        code = check_kinds(&base, &new);
    if (code == EXIT_DONE)
        code = compare(options, &base, &new);
    free_side(&base);
    free_side(&new);
    return code;
}
