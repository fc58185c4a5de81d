#include "cli/options/options.h"

#include "cli/options/directions.h"
#include "workloads/workload.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define BASELINE_SAMPLES_DEFAULT 3
#define RUNS_MAX                 1000

const cli_exit_code exit_codes[] = {
    {EXIT_DONE, ON_DEVICES, "done; of several sizes, some may not have been possible"},
    {EXIT_DONE, COMPARE, "all is the same or faster"},
    {EXIT_SLOWER, COMPARE, "something is slower"},
    {EXIT_USAGE, ON_DEVICES,
     "wrong usage, or a file that cannot be read or written, said before work\n"
     "starts; or none of the sizes is possible (more memory than a device gives, say)"},
    {EXIT_USAGE, COMPARE,
     "wrong usage, or a file that cannot be read, is no result or cannot be\n"
     "written; said before anything is compared"},
    {EXIT_UNAVAILABLE, ON_DEVICES, "a named device or driver is not here; said before work starts"},
    {EXIT_FAILED, MEASURING | DEVICES,
     "something could not be measured, or Ctrl-C came first;\n"
     "the rest is done and written"},
    {EXIT_FAILED, DOCTOR,
     "something could not be looked at, or Ctrl-C came first;\n"
     "the rest is said and written"},
    {EXIT_FAILED, COMPARE, "in the end an output could not be written, or memory ran out"},
    {EXIT_UNDECIDED, COMPARE,
     "nothing is slower, but something is inconclusive, failed in a run of NEW,\n"
     "was not comparable, or is in BASE alone"},
    {EXIT_INTERRUPTED, ON_DEVICES,
     "ended by Ctrl-C before measuring began, or by a second one; nothing is written"},
    {0, 0, NULL},
};

const char *const timing_words[] = {
    [KT_TIMING_BOTH] = "both", [KT_TIMING_DEVICE] = "device", [KT_TIMING_WALL] = "wall", NULL};

const char *const order_words[] = {"interleaved", "sequential", NULL};

const cli_term copy_kinds[] = {
    {"heap", "ordinary memory of the process, unknown to the driver"},
    {"host", "host memory that the driver allocated (pinned)"},
    {"device", "memory of the device"},
    {"shared", "one address for host and device"},
    {0},
};

const cli_term copy_ways[] = {
    {"heap-device", "the API's own copy, and so for any other two kinds; memcpy on cpu:0"},
    {"heap-heap-all-cores", "a copy in which all cores of the host take part (cpu:0)"},
    {"device-host-map", "memory is shown to the host in place of being copied"},
    {"host-device-map", "and handed back; so for shared memory, too"},
    {0},
};

static int refuse(char *why, const char *sentence)
{
    snprintf(why, PARSE_WHY_BYTES, "%s", sentence);
    return -1;
}

static int set_device(cli_options *to, const char *value, char *why)
{
    if (to->device_count == OPTIONS_DEVICES_MAX)
        return refuse(why, "too many devices");
    to->devices[to->device_count++] = value;
    return 0;
}

static int set_size(cli_options *to, const char *value, char *why)
{
    return parse_size_list(value, &to->sizes, why);
}

static int set_byte_size(cli_options *to, const char *value, char *why)
{
    return parse_byte_size_list(value, &to->sizes, why);
}

static int set_kind(cli_options *to, const char *value, char *why)
{
    return kinds_parse(value, &to->kinds, why);
}

static int set_direction(cli_options *to, const char *value, char *why)
{
    return directions_parse(value, to->directions, &to->direction_count, why);
}

static int set_variant(cli_options *to, const char *value, char *why)
{
    (void)why;
    to->variant = value;
    return 0;
}

static int set_trials(cli_options *to, const char *value, char *why)
{
    return parse_count(value, 1, 1000000, &to->measure.trials, why);
}

static int set_samples(cli_options *to, const char *value, char *why)
{
    return parse_count_range(value, &to->measure.samples_min, &to->measure.samples_max, why);
}

static int set_baseline_samples(cli_options *to, const char *value, char *why)
{
    return parse_count(value, 0, 1000000, &to->baseline_samples, why);
}

static int set_max_time(cli_options *to, const char *value, char *why)
{
    return parse_duration(value, &to->measure.max_time_ns, why);
}

static int set_rel_err(cli_options *to, const char *value, char *why)
{
    return parse_percent(value, &to->measure.rel_err, why);
}

static int set_timeout(cli_options *to, const char *value, char *why)
{
    return parse_duration(value, &to->measure.timeout_ns, why);
}

static int set_timing(cli_options *to, const char *value, char *why)
{
    for (int i = 0; timing_words[i]; i++)
        if (strcmp(value, timing_words[i]) == 0) {
            to->measure.timing = (kt_timing)i;
            return 0;
        }
    return refuse(why, "it takes device, wall or both");
}

static int set_order(cli_options *to, const char *value, char *why)
{
    to->sequential = strcmp(value, order_words[1]) == 0;
    if (to->sequential || strcmp(value, order_words[0]) == 0)
        return 0;
    return refuse(why, "it takes interleaved or sequential");
}

static int set_runs(cli_options *to, const char *value, char *why)
{
    return parse_count(value, 1, RUNS_MAX, &to->runs, why);
}

/* Only the program itself writes this. */
static int set_is_run(cli_options *to, const char *value, char *why)
{
    to->is_run = true;
    return parse_count(value, 0, RUNS_MAX - 1, &to->measure.run, why);
}

static int set_cold(cli_options *to, const char *value, char *why)
{
    (void)value, (void)why;
    to->measure.cold = 1;
    return 0;
}

static int set_raw(cli_options *to, const char *value, char *why)
{
    (void)value, (void)why;
    to->raw = true;
    to->measure.keep_raw = 1;
    return 0;
}

static int set_file(cli_options *to, cli_output output, const char *value, char *why)
{
    if (!*value)
        return refuse(why, "it takes the name of a file");
    to->files[output] = value;
    return 0;
}

static int set_json(cli_options *to, const char *value, char *why)
{
    return set_file(to, OUTPUT_JSON, value, why);
}

static int set_csv(cli_options *to, const char *value, char *why)
{
    return set_file(to, OUTPUT_CSV, value, why);
}

static int set_markdown(cli_options *to, const char *value, char *why)
{
    return set_file(to, OUTPUT_MARKDOWN, value, why);
}

static int set_trace(cli_options *to, const char *value, char *why)
{
    return set_file(to, OUTPUT_TRACE, value, why);
}

static bool has_suffix(const char *path, const char *suffix)
{
    size_t length = strlen(path), suffix_length = strlen(suffix);
    return length > suffix_length && strcmp(path + length - suffix_length, suffix) == 0;
}

static int set_plot(cli_options *to, const char *value, char *why)
{
    if (!has_suffix(value, ".svg") && !has_suffix(value, ".png"))
        return refuse(why, "it takes the name of a file that ends in .svg or .png");
    to->plot = value;
    return 0;
}

static int add_result(cli_side *side, const char *value, char *why)
{
    if (!*value)
        return refuse(why, "it takes the name of a file");
    if (side->count == OPTIONS_RESULTS_MAX)
        return refuse(why, "too many files");
    side->files[side->count++] = value;
    return 0;
}

static int set_base(cli_options *to, const char *value, char *why)
{
    return add_result(&to->base, value, why);
}

static int set_new(cli_options *to, const char *value, char *why)
{
    return add_result(&to->new, value, why);
}

static int set_min_effect(cli_options *to, const char *value, char *why)
{
    return parse_share(value, &to->compare.min_effect, why);
}

static int set_alpha(cli_options *to, const char *value, char *why)
{
    double share;
    if (parse_share(value, &share, why) != 0)
        return -1;
    if (share > 0.5)
        return refuse(why, "it takes a share above 0% and at most 50%, such as 5% or 0.05");
    to->compare.alpha = share;
    return 0;
}

static int set_run_noise(cli_options *to, const char *value, char *why)
{
    return parse_share(value, &to->compare.run_noise, why);
}

static int set_quiet(cli_options *to, const char *value, char *why)
{
    (void)value, (void)why;
    to->quiet = true;
    return 0;
}

/* The table: parser, help, man page and completions. */
static const cli_option table[] = {
    {"base", 0, COMPARE, "RESULT",
     "one result file of the base side; repeated, one option for\n"
     "each file, all are runs of that side; in place of BASE NEW",
     set_base},
    {"new", 0, COMPARE, "RESULT", "the same of the new side", set_new},
    {"min-effect", 0, COMPARE, "SHARE",
     "the smallest change that matters: smaller ones are never\n"
     "called slower or faster, and rows shown to be less than\n"
     "twice of it apart are the same (1%)",
     set_min_effect},
    {"alpha", 0, COMPARE, "SHARE",
     "share of wrong ones among the rows called slower or faster (5%)", set_alpha},
    {"run-noise", 0, COMPARE, "SHARE",
     "where a side has one run: by how much runs are taken to\n"
     "differ, as a standard deviation (0.5%)",
     set_run_noise},
    {"device", 'd', ON_DEVICES, "DEV",
     "opencl:0, or opencl for all of it; may be repeated\n"
     "(default: every real device; sim:0 only when named)",
     set_device},
    {"size", 's', BENCH, "LIST", "32..2048 (doubling) or 32,96,256; any from 1 on", set_size},
    {"size", 's', COPY, "LIST",
     "bytes of a copy: 8KiB..1GiB (doubling) or 4096,64KiB,1MB;\n"
     "units are B, KiB, MiB, GiB and kB, MB, GB (8KiB..1GiB; of\n"
     "simulated devices alone 8KiB..2MiB)",
     set_byte_size},
    {"kind", 0, COPY, "KIND",
     "directions with this kind of memory at either end: heap,\n"
     "host, device or shared; a list, or repeated (all)",
     set_kind},
    {"direction", 0, COPY, "DIRECTION",
     "from kind to kind, heap-device say; a list, or repeated\n"
     "(all that each device offers; \"kerntime devices\" tells)",
     set_direction},
    {"variant", 0, BENCH, "NAME", "which kernel: see the list of workloads", set_variant},
    {"trials", 0, BENCH, "N", "dispatches between two stamps (1; more on a coarse clock)",
     set_trials},
    {"trials", 0, COPY, "N", "copies between two stamps (1; more on a coarse clock)", set_trials},
    {"samples", 0, MEASURING, "MIN..MAX",
     "samples of each measurement; MIN.. and ..MAX leave the\n"
     "other as it is, N alone is both (10..1000)",
     set_samples},
    {"max-time", 0, BENCH, "TIME",
     "stop sampling after this, but not before MIN; each\n"
     "measurement has as much for itself (2s)",
     set_max_time},
    {"max-time", 0, COPY, "TIME",
     "stop sampling after this, but not before MIN; each copy\n"
     "of a size has as much for itself (0.5s)",
     set_max_time},
    {"rel-err", 0, MEASURING, "PERCENT",
     "stop once half the median's 95 % interval is within\n"
     "this share of the median (0.5%); looked at after 30\n"
     "samples, then each time there are 1.5 times more",
     set_rel_err},
    {"timeout", 0, MEASURING, "TIME", "give a device up that does not answer (30s)", set_timeout},
    {"timeout", 0, DOCTOR, "TIME", "give a device up that does not answer (10s)", set_timeout},
    {"timing", 0, COMPARE, "WHAT", "compare device or wall times alone, or both (both)",
     set_timing},
    {"timing", 0, MEASURING, "WHAT", "device, wall or both (both)", set_timing},
    {"order", 0, MEASURING, "HOW",
     "interleaved: all measurements in turns, so that drift hits\n"
     "all alike; sequential: one after another (interleaved)",
     set_order},
    {"runs", 0, MEASURING, "N",
     "measure all of it in so many fresh processes: some times\n"
     "differ from process to process (1)",
     set_runs},
    {OPTION_RUN, 0, MEASURING, "I", NULL, set_is_run},
    {"cold", 0, MEASURING, NULL, "flush the device's caches before each submission", set_cold},
    {"baseline-samples", 0, BENCH, "N", "runs of each CPU baseline; 0: no baselines (3)",
     set_baseline_samples},
    {"raw", 0, MEASURING, NULL, "show every stamp as the driver gave it", set_raw},
    {"json", 0, ON_DEVICES, "FILE", "write the result file; - is standard output", set_json},
    {"json", 0, COMPARE, "FILE", "write the comparison as JSON; - is standard output", set_json},
    {"csv", 0, MEASURING, "FILE", "write a row for each time; - is standard output", set_csv},
    {"markdown", 0, MEASURING | COMPARE, "FILE",
     "write the table for a pull request; - is standard output", set_markdown},
    {"markdown", 0, DOCTOR, "FILE", "write the findings for a bug report; - is standard output",
     set_markdown},
    {"trace", 0, MEASURING, "FILE",
     "write when host and device did what, for ui.perfetto.dev\n"
     "or chrome://tracing; - is standard output",
     set_trace},
    {"plot", 0, BENCH, "FILE", "draw speed-ups by size with gnuplot; .svg or .png", set_plot},
    {"plot", 0, COPY, "FILE", "draw throughput by size with gnuplot; .svg or .png", set_plot},
    {"quiet", 'q', ON_DEVICES, NULL, "no progress and no advice", set_quiet},
    {"quiet", 'q', COMPARE, NULL, "no advice", set_quiet},
    {"help", 'h', ALL, NULL, "this help", NULL},
};

#define OPTION_COUNT (sizeof table / sizeof table[0])

const cli_option *command_option(const cli_command *command, size_t index)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if ((table[i].commands & command->bit) && table[i].help && index-- == 0)
            return &table[i];
    return NULL;
}

/* The tables that getopt_long takes. Values above all letters tell long options apart. */
static void make_getopt_tables(int bit, struct option *longs, char *letters)
{
    *letters++ = ':'; /* tell a missing argument from an unknown option */
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (!(table[i].commands & bit))
            continue;
        *longs++ = (struct option){.name = table[i].name,
                                   .has_arg = table[i].argument ? required_argument : no_argument,
                                   .val = 256 + (int)i};
        if (!table[i].letter)
            continue;
        *letters++ = table[i].letter;
        if (table[i].argument)
            *letters++ = ':';
    }
    *longs = (struct option){0};
    *letters = '\0';
}

static size_t find_option(int bit, int value)
{
    if (value >= 256)
        return (size_t)value - 256;
    size_t i = 0;
    while (table[i].letter != value || !(table[i].commands & bit))
        i++;
    return i;
}

/* What getopt_long() stumbled over; `word` is where it stands, which may hold several letters. */
static void describe_refusal(int bit, int value, const char *word, char *sentence, size_t bytes)
{
    if (value == ':')
        snprintf(sentence, bytes, "--%s needs an argument", table[find_option(bit, optopt)].name);
    else if (optopt >= 256)
        snprintf(sentence, bytes, "--%s takes no argument", table[find_option(bit, optopt)].name);
    else if (optopt)
        snprintf(sentence, bytes, "there is no option -%c", optopt);
    else
        snprintf(sentence, bytes, "there is no option %s", word);
}

static int usage_error(const cli_command *command, const char *sentence)
{
    fprintf(stderr, "kerntime %s: %s\nTry \"kerntime %s --help\".\n", command->name, sentence,
            command->name);
    return EXIT_USAGE;
}

int options_parse(const cli_command *command, int argc, char **argv, cli_options *out)
{
    *out = (cli_options){.command = command->name,
                         .baseline_samples = BASELINE_SAMPLES_DEFAULT,
                         .measure = {.size = sizeof out->measure},
                         .compare = {.size = sizeof out->compare}};
    struct option longs[OPTION_COUNT + 1];
    char letters[2 * OPTION_COUNT + 2];
    make_getopt_tables(command->bit, longs, letters);
    char sentence[PARSE_WHY_BYTES + 160], why[PARSE_WHY_BYTES];
    opterr = 0;
    int value;
    while ((value = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        if (value == '?' || value == ':') {
            describe_refusal(command->bit, value, argv[optind - 1], sentence, sizeof sentence);
            return usage_error(command, sentence);
        }
        size_t i = find_option(command->bit, value);
        if (!table[i].set) {
            options_print_help(command);
            return EXIT_DONE;
        }
        if (table[i].set(out, optarg, why) != 0) {
            snprintf(sentence, sizeof sentence, "--%s %s: %s", table[i].name, optarg, why);
            return usage_error(command, sentence);
        }
    }
    out->operands = argv + optind;
    out->operand_count = argc - optind;
    return -1;
}

static void print_workloads(void)
{
    printf("\nWorkloads:\n");
    for (const workload *const *which = workloads; *which; which++) {
        const workload *w = *which;
        printf("  %-8s %s\n", w->name, w->summary);
        printf("           --size: %s, up to %" PRIu64 "; usually %s\n", w->param_help, w->size_max,
               w->sizes);
        for (const char *const *variant = w->variants; variant && *variant; variant++)
            printf("%s%s%s", variant == w->variants ? "           --variant: " : ", ", *variant,
                   variant[1] ? "" : "\n");
    }
}

static void print_copies(void)
{
    printf("\nKinds of memory:\n");
    for (const cli_term *t = copy_kinds; t->name; t++)
        printf("  %-20s %s\n", t->name, t->meaning);
    printf("\nDirections:\n");
    for (const cli_term *t = copy_ways; t->name; t++)
        printf("  %-20s %s\n", t->name, t->meaning);
}

/* The lines of a help text, the second and later ones below the first. */
static void print_lines(const char *label, int width, const char *text)
{
    for (; *text; label = "") {
        size_t length = strcspn(text, "\n");
        printf("  %-*s %.*s\n", width, label, (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static void print_option(const cli_option *option)
{
    char left[40];
    snprintf(left, sizeof left, "%c%c%s --%s %s", option->letter ? '-' : ' ',
             option->letter ? option->letter : ' ', option->letter ? "," : " ", option->name,
             option->argument ? option->argument : "");
    print_lines(left, 26, option->help);
}

void options_print_help(const cli_command *command)
{
    printf("Usage: kerntime %s%s%s [OPTION]...\n", command->name, command->operands[0] ? " " : "",
           command->operands);
    if (command->sides)
        printf("       kerntime %s --base %s... --new %s... [OPTION]...\n", command->name,
               command->sides, command->sides);
    printf("\n%s\n\nOptions:\n", command->summary);
    const cli_option *option;
    for (size_t i = 0; (option = command_option(command, i)) != NULL; i++)
        print_option(option);
    if (command->bit == BENCH)
        print_workloads();
    if (command->bit == COPY)
        print_copies();
    printf("\nExit codes:\n");
    for (const cli_exit_code *exit_code = exit_codes; exit_code->meaning; exit_code++) {
        char code[16];
        if (!(exit_code->commands & command->bit))
            continue;
        snprintf(code, sizeof code, "%d", exit_code->code);
        print_lines(code, 4, exit_code->meaning);
    }
}
