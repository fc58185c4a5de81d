/* SPDX-License-Identifier: MIT */
#include "cli/options/options.h"

#include "cli/options/directions.h"
#include "cli/options/suggest.h"
#include "cli/options/trace_setters.h"
#include "cli/terminal/terminal.h"
#include "workloads/workload.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define RUNS_MAX          1000
#define PLOT_WIDTH_MIN_MM 40
#define PLOT_WIDTH_MAX_MM 1000

const cli_exit_code exit_codes[] = {
    {EXIT_DONE, RUN, "success; some of several configurations may not have been possible"},
    {EXIT_DONE, ON_DEVICES & ~RUN, "success; some of several sizes may not have been possible"},
    {EXIT_DONE, COMPARE, "every row is the same or faster"},
    {EXIT_SLOWER, COMPARE, "a row is slower; with --gate likely also likely slower"},
    {EXIT_USAGE, RUN,
     "wrong usage, or a file that cannot be read or written (checked before work\n"
     "starts); or no configuration is possible, for example for lack of device memory"},
    {EXIT_USAGE, ON_DEVICES & ~RUN,
     "wrong usage, or a file that cannot be read or written (checked before work\n"
     "starts); or no size is possible, for example for lack of device memory"},
    {EXIT_USAGE, COMPARE,
     "wrong usage, a file that cannot be read or written, or a file that is no\n"
     "result; checked before comparing"},
    {EXIT_DONE, CONVERT, "RESULT was written in all formats asked for"},
    {EXIT_USAGE, CONVERT,
     "wrong usage, a file that cannot be read or written, or a file that is no\n"
     "result, or has no times for a format of times"},
    {EXIT_UNAVAILABLE, ON_DEVICES,
     "a named device or driver is missing; checked before work starts"},
    {EXIT_FAILED, RUN,
     "a configuration was wrong, crashed, hung or failed, or none could be built, or\n"
     "Ctrl-C interrupted; all other results are written"},
    {EXIT_FAILED, (MEASURING & ~RUN) | DEVICES,
     "a measurement failed or was interrupted by Ctrl-C;\n"
     "all other results are written"},
    {EXIT_FAILED, DOCTOR,
     "a check could not be made, or was interrupted by Ctrl-C; all other results are\n"
     "shown and written; a FAULT is a result, and no failure of a check"},
    {EXIT_FAILED, COMPARE | CONVERT, "an output could not be written, or memory ran out"},
    {EXIT_UNDECIDED, COMPARE,
     "no row is slower, but a row is inconclusive, likely slower or faster, failed in\n"
     "a run of CONTENDER, is not comparable, or is missing in CONTENDER"},
    {EXIT_DONE, FLEET, "no device is slow"},
    {EXIT_SLOWER, FLEET, "a device is slow"},
    {EXIT_USAGE, FLEET, "wrong usage, no result in the files, or a file that cannot be written"},
    {EXIT_FAILED, FLEET,
     "no device is slow, but a rank is missing, a result is unreadable, or a device is\n"
     "wrong, failed or was measured twice; or an output could not be written"},
    {EXIT_UNDECIDED, FLEET, "no device is slow, but one is undecided, or the median is doubtful"},
    {EXIT_INTERRUPTED, ON_DEVICES,
     "interrupted before the first measurement, or by a second Ctrl-C; nothing is written"},
    {EXIT_DONE, TRACE,
     "PROGRAM ended with 0; all other codes are PROGRAM's, too, and 128 + N if signal N\n"
     "ended it, except these:"},
    {TRACE_EXIT_FAILED, TRACE,
     "wrong usage, or a file that cannot be written (checked before PROGRAM starts);\n"
     "or PROGRAM ended with 0, and a file could not be written"},
    {TRACE_EXIT_NOT_EXECUTABLE, TRACE, "PROGRAM cannot be started"},
    {TRACE_EXIT_NOT_FOUND, TRACE, "PROGRAM was not found"},
    {0, 0, NULL},
};

const char *const timing_words[] = {
    [KT_TIMING_BOTH] = "both", [KT_TIMING_DEVICE] = "device", [KT_TIMING_WALL] = "wall", NULL};

const char *const order_words[] = {"interleaved", "sequential", NULL};

const char *const gate_words[] = {"slower", "likely", NULL};

const char *const fleet_by_words[] = {
    [FLEET_BY_MODEL] = "model", [FLEET_BY_NODE] = "node", [FLEET_BY_SLOT] = "slot", NULL};

const char *const color_words[] = {
    [COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never", NULL};

const char *const plot_words[] = {"speedup", "speedup-best", "time", "gbs", "gflops", NULL};

const cli_term copy_kinds[] = {
    {"heap", "ordinary process memory, unknown to the driver (malloc)"},
    {"host", "pinned host memory, allocated by the driver"},
    {"device", "device memory"},
    {"shared", "memory with one address on host and device"},
    {0},
};

const cli_term copy_ways[] = {
    {"heap-device", "the copy of the API, likewise for other kinds; memcpy on cpu:0"},
    {"heap-heap-all-cores", "a copy on all cores of the host (cpu:0)"},
    {"device-host-map", "maps device memory for the host instead of copying"},
    {"host-device-map", "unmaps it; likewise for shared memory"},
    {0},
};

static int set_device(cli_options *to, const char *value, char *reason)
{
    if (to->device_count == OPTIONS_DEVICES_MAX)
        return parse_refuse(reason, "too many devices");
    to->devices[to->device_count++] = value;
    return 0;
}

static int set_local_device(cli_options *to, const char *value, char *reason)
{
    if (!*value || strchr(value, ':'))
        return parse_refuse(reason, "it takes the name of a backend, such as cuda");
    to->local_device = value;
    return 0;
}

static int set_start_together(cli_options *to, const char *value, char *reason)
{
    if (!*value)
        return parse_refuse(reason, "it takes a folder that all ranks share");
    to->start_folder = value;
    return 0;
}

static int set_start_limit(cli_options *to, const char *value, char *reason)
{
    return parse_duration(value, &to->start_limit_ns, reason);
}

static int set_size(cli_options *to, const char *value, char *reason)
{
    return parse_size_list(value, &to->sizes, reason);
}

static int set_byte_size(cli_options *to, const char *value, char *reason)
{
    return parse_byte_size_list(value, &to->sizes, reason);
}

static int set_kind(cli_options *to, const char *value, char *reason)
{
    return kinds_parse(value, &to->kinds, reason);
}

static int set_direction(cli_options *to, const char *value, char *reason)
{
    return directions_parse(value, to->directions, &to->direction_count, reason);
}

static int set_variant(cli_options *to, const char *value, char *reason)
{
    (void)reason;
    to->variant = value;
    return 0;
}

static int set_trials(cli_options *to, const char *value, char *reason)
{
    return parse_count(value, 1, 1000000, &to->measure.trials, reason);
}

static int set_samples(cli_options *to, const char *value, char *reason)
{
    return parse_count_range(value, &to->measure.samples_min, &to->measure.samples_max, reason);
}

static int set_baseline_samples(cli_options *to, const char *value, char *reason)
{
    return parse_count(value, 0, 1000000, &to->baseline_samples, reason);
}

static int set_max_time(cli_options *to, const char *value, char *reason)
{
    return parse_duration(value, &to->measure.max_time_ns, reason);
}

static int set_rel_err(cli_options *to, const char *value, char *reason)
{
    return parse_percent(value, &to->measure.rel_err, reason);
}

static int set_timeout(cli_options *to, const char *value, char *reason)
{
    return parse_duration(value, &to->measure.timeout_ns, reason);
}

static int set_timing(cli_options *to, const char *value, char *reason)
{
    for (int i = 0; timing_words[i]; i++)
        if (strcmp(value, timing_words[i]) == 0) {
            to->measure.timing = (kt_timing)i;
            return 0;
        }
    return parse_refuse(reason, "it takes device, wall or both");
}

static int set_order(cli_options *to, const char *value, char *reason)
{
    to->sequential = strcmp(value, order_words[1]) == 0;
    if (to->sequential || strcmp(value, order_words[0]) == 0)
        return 0;
    return parse_refuse(reason, "it takes interleaved or sequential");
}

static int set_runs(cli_options *to, const char *value, char *reason)
{
    return parse_count(value, 1, RUNS_MAX, &to->runs, reason);
}

/* Set only by kerntime itself for a run of several. */
static int set_is_run(cli_options *to, const char *value, char *reason)
{
    to->is_run = true;
    return parse_count(value, 0, RUNS_MAX - 1, &to->measure.run, reason);
}

static int set_left_out(cli_options *to, const char *value, char *reason)
{
    (void)reason;
    to->left_out = strcmp(value, "-") == 0 ? NULL : value;
    return 0;
}

static int set_cold(cli_options *to, const char *value, char *reason)
{
    (void)value, (void)reason;
    to->measure.cold = 1;
    return 0;
}

static int set_energy(cli_options *to, const char *value, char *reason)
{
    (void)value, (void)reason;
    to->measure.energy = 1;
    return 0;
}

static int set_raw(cli_options *to, const char *value, char *reason)
{
    (void)value, (void)reason;
    to->raw = true;
    to->measure.keep_raw = 1;
    return 0;
}

static int set_file(cli_options *to, int output, const char *value, char *reason)
{
    if (!*value)
        return parse_refuse(reason, "it takes the name of a file");
    to->files[output] = value;
    return 0;
}

/* A function and a row of the options for each format that has an option. */
#define SETTER_0(NAME, name)
#define SETTER_1(NAME, name)                                                \
    static int set_##name(cli_options *to, const char *value, char *reason) \
    {                                                                       \
        return set_file(to, KT_FORMAT_##NAME, value, reason);               \
    }
#define SETTER(NAME, name, option, report, compare, snapshot, meaning) SETTER_##option(NAME, name)
KT_FORMATS_(SETTER)

#define COMMANDS_SERIES (MEASURING | CONVERT)
#define COMMANDS_ALL    (ON_DEVICES | CONVERT)
#define FORMAT_OPTION_0(name, commands, meaning)
#define FORMAT_OPTION_1(name, commands, meaning)                                               \
    {#name,     0, (commands) | OF_PROCESS, "FILE", "write " meaning "; - is standard output", \
     set_##name},
#define FORMAT_OPTION(NAME, name, option, report, compare, snapshot, meaning) \
    FORMAT_OPTION_##option(name, COMMANDS_##report | compare * COMPARE, meaning)

static int set_trace(cli_options *to, const char *value, char *reason)
{
    return set_file(to, OUTPUT_TRACE, value, reason);
}

static int set_gbench(cli_options *to, const char *value, char *reason)
{
    return set_file(to, OUTPUT_GBENCH, value, reason);
}

static int set_bmf(cli_options *to, const char *value, char *reason)
{
    return set_file(to, OUTPUT_BMF, value, reason);
}

static int set_action(cli_options *to, const char *value, char *reason)
{
    return set_file(to, OUTPUT_ACTION, value, reason);
}

static int set_gbench_repetitions(cli_options *to, const char *value, char *reason)
{
    (void)value, (void)reason;
    to->gbench_repetitions = true;
    return 0;
}

static int set_rank_variable(cli_options *to, const char *value, char *reason)
{
    if (!*value)
        return parse_refuse(reason, "it takes the name of a variable");
    to->rank_variable = value;
    return 0;
}

static bool has_suffix(const char *path, const char *suffix)
{
    size_t length = strlen(path), suffix_length = strlen(suffix);
    return length > suffix_length && strcmp(path + length - suffix_length, suffix) == 0;
}

static int set_plot(cli_options *to, const char *value, char *reason)
{
    if (!has_suffix(value, ".svg") && !has_suffix(value, ".pdf") && !has_suffix(value, ".png"))
        return parse_refuse(reason, "it takes the name of a file that ends in .svg, .pdf or .png");
    to->plot = value;
    return 0;
}

static int set_plot_what(cli_options *to, const char *value, char *reason)
{
    for (int i = 0; plot_words[i]; i++)
        if (strcmp(value, plot_words[i]) == 0) {
            to->plot_values = (kt_figure_values)(KT_FIGURE_SPEEDUP + i);
            return 0;
        }
    return parse_refuse(reason, "it takes speedup, speedup-best, time, gbs or gflops");
}

static int set_plot_width(cli_options *to, const char *value, char *reason)
{
    return parse_width(value, PLOT_WIDTH_MIN_MM, PLOT_WIDTH_MAX_MM, &to->plot_width_mm, reason);
}

static int set_plot_plain(cli_options *to, const char *value, char *reason)
{
    (void)value, (void)reason;
    to->plot_plain = true;
    return 0;
}

static int set_plot_data(cli_options *to, const char *value, char *reason)
{
    (void)value, (void)reason;
    to->plot_data = true;
    return 0;
}

static int add_result(cli_side *side, const char *value, char *reason)
{
    if (!*value)
        return parse_refuse(reason, "it takes the name of a file");
    if (side->count == OPTIONS_RESULTS_MAX)
        return parse_refuse(reason, "too many files");
    side->files[side->count++] = value;
    return 0;
}

static int set_base(cli_options *to, const char *value, char *reason)
{
    return add_result(&to->baseline, value, reason);
}

static int set_new(cli_options *to, const char *value, char *reason)
{
    return add_result(&to->contender, value, reason);
}

static int set_min_effect(cli_options *to, const char *value, char *reason)
{
    return parse_share(value, &to->compare.min_effect, reason);
}

static int set_gate(cli_options *to, const char *value, char *reason)
{
    to->gate_likely = strcmp(value, gate_words[1]) == 0;
    if (to->gate_likely || strcmp(value, gate_words[0]) == 0)
        return 0;
    return parse_refuse(reason, "it takes slower or likely");
}

static int set_alpha(cli_options *to, const char *value, char *reason)
{
    double share;
    if (parse_share(value, &share, reason) != 0)
        return -1;
    if (share > 0.5)
        return parse_refuse(reason,
                            "it takes a share above 0% and at most 50%, such as 5% or 0.05");
    to->compare.alpha = share;
    return 0;
}

static int set_by(cli_options *to, const char *value, char *reason)
{
    for (int i = 0; fleet_by_words[i]; i++)
        if (strcmp(value, fleet_by_words[i]) == 0) {
            to->fleet.by = (fleet_by)i;
            return 0;
        }
    return parse_refuse(reason, "it takes model, node or slot");
}

static int set_slurm(cli_options *to, const char *value, char *reason)
{
    (void)value, (void)reason;
    to->fleet.slurm = true;
    return 0;
}

static int set_again(cli_options *to, const char *value, char *reason)
{
    (void)value, (void)reason;
    to->fleet.again = true;
    return 0;
}

static int set_run_noise(cli_options *to, const char *value, char *reason)
{
    return parse_share(value, &to->compare.run_noise, reason);
}

static int set_quiet(cli_options *to, const char *value, char *reason)
{
    (void)value, (void)reason;
    to->quiet = true;
    return 0;
}

static int set_verbose(cli_options *to, const char *value, char *reason)
{
    (void)value, (void)reason;
    to->verbose = true;
    return 0;
}

static int set_color(cli_options *to, const char *value, char *reason)
{
    for (int i = 0; color_words[i]; i++)
        if (strcmp(value, color_words[i]) == 0) {
            to->color = (cli_color)i;
            return 0;
        }
    return parse_refuse(reason, "it takes auto, always or never");
}

static int set_list(cli_options *to, const char *value, char *reason)
{
    (void)value, (void)reason;
    to->list = true;
    return 0;
}

/* Sets an option of `run` that may be given once; the last one counts. */
static int set_text(const char **to, const char *value, char *reason)
{
    if (!*value)
        return parse_refuse(reason, "it takes a text");
    *to = value;
    return 0;
}

static int add_text(run_texts *to, const char *value, char *reason)
{
    if (!*value)
        return parse_refuse(reason, "it takes a text");
    if (to->count == RUN_OPTIONS_MAX) {
        snprintf(reason, PARSE_WHY_BYTES, "it may be given %d times", RUN_OPTIONS_MAX);
        return -1;
    }
    to->texts[to->count++] = value;
    return 0;
}

/* A function for each option of `run` with a text, or with several. */
#define RUN_SETTER(set, name)                                               \
    static int set_##name(cli_options *to, const char *value, char *reason) \
    {                                                                       \
        return set(&to->run.name, value, reason);                           \
    }
RUN_SETTER(add_text, arguments)
RUN_SETTER(add_text, defines)
RUN_SETTER(add_text, conditions)
RUN_SETTER(add_text, locals)
RUN_SETTER(add_text, expectations)
RUN_SETTER(set_text, global)
RUN_SETTER(set_text, groups)
RUN_SETTER(set_text, check)
RUN_SETTER(set_text, tolerance)
RUN_SETTER(set_text, flops)
RUN_SETTER(set_text, bytes)
RUN_SETTER(set_text, t1)
RUN_SETTER(set_text, t4)

static int set_no_reset(cli_options *to, const char *value, char *reason)
{
    (void)value, (void)reason;
    to->run.no_reset = true;
    return 0;
}

/* Set only by kerntime itself for a stage of `run`. */
static int set_stage(cli_options *to, const char *value, char *reason)
{
    return set_text(&to->stage, value, reason);
}

static int set_no_identity(cli_options *to, const char *value, char *reason)
{
    (void)value, (void)reason;
    to->no_identity = true;
    return 0;
}

static int set_wide(cli_options *to, const char *value, char *reason)
{
    (void)value, (void)reason;
    to->wide = true;
    return 0;
}

/* All options, for the parser, the help, the man page and the completions. */
static const cli_option table[] = {
    {"baseline", 0, COMPARE, "RESULT",
     "a file of the baseline (a result, or a registry or trace that a\n"
     "program wrote), instead of BASELINE CONTENDER; repeat the\n"
     "option for further runs",
     set_base},
    {"contender", 0, COMPARE, "RESULT", "a result file of the contender, likewise", set_new},
    {"min-effect", 0, COMPARE, "SHARE",
     "smallest change that counts as slower or faster; a row is\n"
     "the same if its change is shown to be below twice that\n"
     "(1%; of results of kerntime trace 3%)",
     set_min_effect},
    {"alpha", 0, COMPARE, "SHARE", "share of false results among slower and faster rows (5%)",
     set_alpha},
    {"by", 0, FLEET, "GROUP", "also sum up by node or slot (model: only by model)", set_by},
    {"min-effect", 0, FLEET, "SHARE",
     "a device is slow if it is surely slower than the median of its\n"
     "model by more than this (3%)",
     set_min_effect},
    {"alpha", 0, FLEET, "SHARE", "share of false names among all slow devices (1%)", set_alpha},
    {"slurm", 0, FLEET, NULL,
     "print the commands that drain the nodes of devices that are\n"
     "slow, wrong or failed, instead of the table; runs none of them",
     set_slurm},
    {"again", 0, FLEET, NULL,
     "print the commands that measure these devices once more, beside\n"
     "one more than twice as many good ones, instead of the table",
     set_again},
    {"run-noise", 0, COMPARE, "SHARE",
     "assumed standard deviation between runs, if baseline or\n"
     "contender has a single run (0.5%; of registries and traces 5%)",
     set_run_noise},
    {"gate", 0, COMPARE, "VERDICT",
     "slower: exit code 1 if a row is slower; likely: also if a row\n"
     "is likely slower, as one run a side can show (slower)",
     set_gate},
    {"backend", 'b', TRACE, "APIS",
     "APIs to trace, such as opencl,vulkan; there are opencl, vulkan,\n"
     "level_zero, cuda and hip (all)",
     trace_set_apis},
    {"output", 'o', TRACE, "FILE", "write the table to this file (standard error)",
     trace_set_output},
    {"kernels", 0, TRACE, "GLOB,...",
     "record only kernels and copies whose names match, such as 'gemm*';\n"
     "may be repeated",
     trace_add_wanted},
    {"exclude", 0, TRACE, "GLOB,...", "do not record those whose names match; may be repeated",
     trace_add_unwanted},
    {"by-size", 0, TRACE, NULL, "a row for each size of a kernel's launches", trace_set_by_size},
    {"top", 0, TRACE, "N", "show N rows of each table: those that took longest (all)",
     trace_set_top},
    {"skip", 0, TRACE, "N", "do not record the first N kernels (0)", trace_set_skip},
    {"count", 0, TRACE, "N", "record only N kernels (all)", trace_set_count},
    {"paused", 0, TRACE, NULL,
     "record nothing until SIGUSR2 is sent to kerntime, which starts\n"
     "and stops recording",
     trace_set_paused},
    {"follow", 0, TRACE, "ANSWER", "yes or no: trace processes that PROGRAM starts, too (yes)",
     trace_set_follow},
    {"ranks", 0, TRACE, "RANKS", "trace only these ranks, such as 0,4-7 (all)", trace_set_ranks},
    {"memory", 0, TRACE, "SIZE",
     "memory of each process for the events of --trace (64MiB); the\n"
     "table has all calls in any case",
     trace_set_memory},
    {"exact", 0, TRACE, NULL,
     "Vulkan: separate commands by barriers, so that no time contains\n"
     "work of others; PROGRAM may become slower",
     trace_set_exact},
    {"device", 'd', ON_DEVICES | OF_PROCESS, "DEV",
     "opencl:0, opencl for all its devices, or gpu for all GPUs;\n"
     "may be repeated (all real devices; sim:0 only if named;\n"
     "beside a GPU, lavapipe and PoCL are measured only if named)",
     set_device},
    {"local-device", 0, ON_DEVICES | OF_PROCESS, "BACKEND",
     "under mpirun, srun or another launcher: the device of this\n"
     "rank, its number on its node modulo the number of devices",
     set_local_device},
    {"start-together", 0, MEASURING | OF_PROCESS, "DIR",
     "wait for all ranks of the launcher before measuring, by files\n"
     "in this folder, which they share; no file stays",
     set_start_together},
    {"start-limit", 0, MEASURING | OF_PROCESS, "TIME",
     "start without ranks that have not come by then (1min)", set_start_limit},
    {"size", 's', BENCH, "LIST", "32..2048 (doubling) or 32,96,256; from 1", set_size},
    {"size", 's', COPY, "LIST",
     "bytes of a copy: 8KiB..1GiB (doubling) or 4096,64KiB,1MB;\n"
     "units are B, KiB, MiB, GiB and kB, MB, GB (8KiB..1GiB; with\n"
     "simulated devices only 8KiB..2MiB)",
     set_byte_size},
    {"kind", 0, COPY, "KIND",
     "copies from or to this kind of memory: heap, host, device\n"
     "or shared; a list, or repeated (all)",
     set_kind},
    {"direction", 0, COPY, "DIRECTION",
     "source and destination, such as heap-device; a list, or\n"
     "repeated (all listed by \"kerntime devices\")",
     set_direction},
    {"size", 'n', RUN, "LIST",
     "n in all expressions: 16Mi, 1024,4096 or 32..2048 (doubling);\n"
     "units are Ki, Mi, Gi and k, M, G (1Mi)",
     set_size},
    {"arg", 'a', RUN, "NAME=SPEC",
     "an argument, by name or number: 3, n/2, (1,2,3), zeros, iota,\n"
     "random, random:LOW:HIGH, fill:V, @x.npy, @x.bin, null,\n"
     "local:BYTES or same:OTHER, each perhaps with \" x COUNT\"; may be\n"
     "repeated (guessed by type and name)",
     set_arguments},
    {"define", 'D', RUN, "NAME=V,...",
     "a define, a specialisation constant or an override: a value,\n"
     "or a list or range to try: 8,16,32, 8..64 (doubling),\n"
     "0:32:8 (from:to:step); may be repeated",
     set_defines},
    {"global", 0, RUN, "X,Y,Z", "work-items, such as 'n/WPT,n' (n, rounded up to --local)",
     set_global},
    {"groups", 0, RUN, "X,Y,Z", "groups, instead of --global", set_groups},
    {"local", 0, RUN, "X,Y,Z",
     "work-items of a group; a range such as 64..1024 is tried, and\n"
     "so is each of several --local (fixed by the kernel, or chosen)",
     set_locals},
    {"if", 0, RUN, "EXPR",
     "leaves out what does not fulfil this: 'TILE % WPT == 0'; may be\n"
     "repeated",
     set_conditions},
    {"check", 0, RUN, "FILE[:KERNEL]",
     "a kernel whose output is right (all outputs are compared with\n"
     "that of the first configuration)",
     set_check},
    {"expect", 0, RUN, "NAME=@FILE",
     "right content of an argument, from .npy or .bin; may be repeated", set_expectations},
    {"tolerance", 0, RUN, "ABS[,REL]",
     "largest difference of right outputs (by type of the elements)", set_tolerance},
    {"flops", 0, RUN, "EXPR", "operations of a dispatch, such as '2*n^3', for GFLOP/s", set_flops},
    {"bytes", 0, RUN, "EXPR", "memory traffic of a dispatch, such as '12*n', for GB/s", set_bytes},
    {"no-reset", 0, RUN, NULL, "do not restore the inputs before each dispatch", set_no_reset},
    {"list", 0, RUN, NULL, "list the kernels and what they take, and measure nothing", set_list},
    {"t1", 0, RUN, "FILE",
     "read kernel, parameters and conditions from a T1 file of an\n"
     "autotuner",
     set_t1},
    {"list", 0, BENCH, NULL, "list the workloads and measure nothing", set_list},
    {"variant", 0, BENCH, "NAME", "kernel variant: see the list of workloads", set_variant},
    {"trials", 0, BENCH | RUN, "N", "dispatches per pair of timestamps (1; more on a coarse clock)",
     set_trials},
    {"trials", 0, COPY, "N", "copies per pair of timestamps (1; more on a coarse clock)",
     set_trials},
    {"samples", 0, MEASURING, "MIN..MAX",
     "samples per measurement; MIN.., ..MAX and N (= N..N) are\n"
     "also accepted (10..1000)",
     set_samples},
    {"max-time", 0, BENCH | RUN, "TIME",
     "stop sampling a measurement after this time, but not\n"
     "before MIN samples (2s)",
     set_max_time},
    {"max-time", 0, COPY, "TIME",
     "stop sampling a copy of one size after this time, but not\n"
     "before MIN samples (0.5s)",
     set_max_time},
    {"rel-err", 0, MEASURING, "PERCENT",
     "stop when half the 95 % interval is within this share of\n"
     "the median (0.5%); checked after 30 samples, then whenever\n"
     "their number has grown by half",
     set_rel_err},
    {"timeout", 0, BENCH | COPY, "TIME", "give up on a device that does not answer (30s)",
     set_timeout},
    {"timeout", 0, RUN, "TIME", "give up on a kernel that does not end (30s)", set_timeout},
    {"timeout", 0, DOCTOR, "TIME", "give up on a device that does not answer (10s)", set_timeout},
    {"timing", 0, COMPARE, "WHAT", "times to compare: device, wall or both (both)", set_timing},
    {"timing", 0, MEASURING, "WHAT", "times to measure: device, wall or both (both)", set_timing},
    {"order", 0, MEASURING, "HOW",
     "interleaved: measurements take turns, so that drift affects\n"
     "all equally; sequential: one after another (interleaved)",
     set_order},
    {"runs", 0, MEASURING, "N",
     "repeat all measurements in N new processes, since some\n"
     "times differ by process (1)",
     set_runs},
    {OPTION_RUN, 0, MEASURING, "I", NULL, set_is_run},
    {OPTION_LEFT_OUT, 0, MEASURING, "LIST", NULL, set_left_out},
    {OPTION_STAGE, 0, RUN, "STAGE:FOLDER", NULL, set_stage},
    {"cold", 0, MEASURING, NULL, "flush the device's caches before each submission", set_cold},
    {"energy", 0, MEASURING, NULL, "also measure the energy of a dispatch, for some seconds",
     set_energy},
    {"baseline-samples", 0, BENCH, "N",
     "samples of each CPU baseline, instead of up to 98 within\n"
     "2 s; 0: no baselines, as under a launcher of several ranks",
     set_baseline_samples},
    {"raw", 0, MEASURING, NULL, "show every raw timestamp", set_raw},
    KT_FORMATS_(FORMAT_OPTION){"json", 0, TRACE, "FILE",
                               "write all numbers as JSON, for kerntime compare, too", set_json},
    {"csv", 0, TRACE, "FILE", "write one row per kernel as CSV", set_csv},
    {"markdown", 0, TRACE, "FILE", "write the table as Markdown", set_markdown},
    {"json", 0, FLEET, "FILE", "write all numbers as JSON; - is standard output", set_json},
    {"csv", 0, FLEET, "FILE", "write one row per device and workload as CSV;\n- is standard output",
     set_csv},
    {"markdown", 0, FLEET, "FILE", "write the tables as Markdown; - is standard output",
     set_markdown},
    {"gbench", 0, TRACE, "FILE", "write JSON as Google Benchmark does", set_gbench},
    {"trace", 0, TRACE, "FILE",
     "write a time line of host and device for ui.perfetto.dev\n"
     "or chrome://tracing",
     set_trace},
    {"runs", 0, TRACE, "N", "run PROGRAM N times, one after another (1)", set_runs},
    /* Formats of other programs. */
    {"gbench", 0, MEASURING | CONVERT | OF_PROCESS, "FILE",
     "write JSON as Google Benchmark does, for its compare.py; - is\n"
     "standard output",
     set_gbench},
    {"gbench-repetitions", 0, MEASURING | CONVERT | OF_PROCESS, NULL,
     "each sample is a repetition in the file of --gbench, for a\n"
     "U test (a row is one entry)",
     set_gbench_repetitions},
    {"bmf", 0, MEASURING | CONVERT | OF_PROCESS, "FILE",
     "write JSON for bencher, with intervals; - is standard output", set_bmf},
    {"action", 0, MEASURING | CONVERT | OF_PROCESS, "FILE",
     "write JSON for github-action-benchmark, with intervals\n"
     "(customSmallerIsBetter); - is standard output",
     set_action},
    /* The trace has one format, and figures are drawn by gnuplot. */
    {"trace", 0, MEASURING | OF_PROCESS, "FILE",
     "write a time line of host and device for ui.perfetto.dev\n"
     "or chrome://tracing; - is standard output",
     set_trace},
    {"plot", 0, BENCH | OF_PROCESS, "FILE",
     "plot against size with gnuplot: speed-up, GB/s or time, as\n"
     "the workload suggests; .svg, .pdf or .png",
     set_plot},
    {"plot", 0, COPY | OF_PROCESS, "FILE",
     "plot throughput against size with gnuplot; .svg, .pdf or .png", set_plot},
    {"plot", 0, CONVERT, "FILE",
     "plot a result of bench or copy with gnuplot; .svg, .pdf or\n"
     ".png",
     set_plot},
    {"plot", 0, RUN | OF_PROCESS, "FILE",
     "plot times by configuration, or by n, with gnuplot; .svg, .pdf\n"
     "or .png",
     set_plot},
    {"plot", 0, FLEET, "FILE",
     "plot all devices by how slow they are, with gnuplot; .svg, .pdf\n"
     "or .png",
     set_plot},
    {"t4", 0, RUN | OF_PROCESS, "FILE",
     "write a T4 file, the result of an autotuner; - is standard output", set_t4},
    {"plot-what", 0, BENCH | CONVERT | OF_PROCESS, "VALUES",
     "speedup (over one core), speedup-best, time, gbs or gflops", set_plot_what},
    {"plot-width", 0, MEASURING | CONVERT | FLEET | OF_PROCESS, "WIDTH",
     "true width for print, such as 85mm, 8.5cm or 3.35in, with a\n"
     "font of 7.5 points (for a screen)",
     set_plot_width},
    {"plot-plain", 0, MEASURING | CONVERT | FLEET | OF_PROCESS, NULL,
     "no title and no notes in the figure", set_plot_plain},
    {"plot-data", 0, MEASURING | CONVERT | FLEET | OF_PROCESS, NULL,
     "write the figure's script (.gp) and points (.csv) beside it", set_plot_data},
    {"rank-var", 0, (ALL & ~TRACE) | OF_PROCESS, "VARIABLE",
     "variable that has the rank, for %r (those of known launchers).\n"
     "Names of files may have %h (host), %r (rank), %p (process),\n"
     "%j (job) and %{VARIABLE}",
     set_rank_variable},
    {"rank-var", 0, TRACE, "VARIABLE",
     "variable that has the rank (those of known launchers). Names of\n"
     "files may have %h (host), %r (rank), %p (PROGRAM's process), %j\n"
     "(job) and %{VARIABLE}",
     set_rank_variable},
    {"no-identity", 0, ON_DEVICES | OF_PROCESS, NULL,
     "leave out what identifies host, devices and process: names,\n"
     "addresses, UUIDs, serial numbers, place among ranks",
     set_no_identity},
    {"verbose", 'v', FLEET, NULL, "show all devices, nodes and workloads", set_verbose},
    {"verbose", 'v', ALL & ~(TRACE | FLEET), NULL,
     "show all notes; a terminal shows the three most important", set_verbose},
    {"verbose", 'v', TRACE, NULL, "say of each API why it was not traced", set_verbose},
    {"wide", 'w', ALL, NULL, "show all columns; a terminal shows those that fit", set_wide},
    {"color", 0, ALL, "WHEN", "auto, always or never; NO_COLOR is respected (auto)", set_color},
    {"quiet", 'q', ON_DEVICES, NULL,
     "no progress and no advice; of several ranks of a launcher, with\n"
     "--json FILE, no table either",
     set_quiet},
    {"quiet", 'q', COMPARE | FLEET, NULL, "no advice", set_quiet},
    {"quiet", 'q', TRACE, NULL, "no table on standard error; files are written", set_quiet},
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

/* Builds the tables for getopt_long(). Values above all characters mark long options. */
static void make_getopt_tables(int bit, struct option *longs, char *letters)
{
    if (bit == TRACE)
        *letters++ = '+'; /* what follows PROGRAM is PROGRAM's */
    *letters++ = ':';     /* distinguishes a missing argument from an unknown option */
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

/* Writes "; did you mean --size?" for an unknown option "--sise=8", or nothing. */
static void suggest_option(int bit, const char *word, char *text, size_t bytes)
{
    suggestion s =
        suggest_begin(word + 2, strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0);
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if ((table[i].commands & bit) && table[i].help)
            suggest_consider(&s, table[i].name);
    *text = '\0';
    if (s.word)
        snprintf(text, bytes, "; did you mean --%s?", s.word);
}

/* Explains why getopt_long() refused `word`, which may hold several letters. */
static void describe_refusal(int bit, int value, const char *word, char *sentence, size_t bytes)
{
    if (value == ':')
        snprintf(sentence, bytes, "--%s needs an argument", table[find_option(bit, optopt)].name);
    else if (optopt >= 256)
        snprintf(sentence, bytes, "--%s takes no argument", table[find_option(bit, optopt)].name);
    else if (optopt)
        snprintf(sentence, bytes, "there is no option -%c", optopt);
    else {
        char instead[64];
        suggest_option(bit, word, instead, sizeof instead);
        snprintf(sentence, bytes, "there is no option %.100s%s", word, instead);
    }
}

static int usage_error(const cli_command *command, const char *sentence)
{
    fprintf(stderr, "kerntime %s: %s\nTry \"kerntime %s --help\".\n", command->name, sentence,
            command->name);
    return command->bit == TRACE ? TRACE_EXIT_FAILED : EXIT_USAGE;
}

static int measuring_bit(const char *command)
{
    return strcmp(command, "bench") == 0  ? BENCH
           : strcmp(command, "copy") == 0 ? COPY
           : strcmp(command, "run") == 0  ? RUN
                                          : 0;
}

/* The options of a command, one after another. */
typedef struct parser {
    int bit;
    struct option longs[OPTION_COUNT + 1];
    char letters[2 * OPTION_COUNT + 3];
    char sentence[PARSE_WHY_BYTES + 160]; /* why there is no further one; "": all were read */
} parser;

static void begin(parser *p, int bit, cli_options *out)
{
    *p = (parser){.bit = bit};
    make_getopt_tables(bit, p->longs, p->letters);
    *out = (cli_options){.measures = bit & ON_DEVICES,
                         .baseline_samples = BASELINE_SAMPLES_AUTO,
                         .measure = {.size = sizeof out->measure},
                         .compare = {.size = sizeof out->compare}};
    opterr = 0;
}

/* The next option, which it sets, with its value in optarg; NULL: see `sentence`. */
static const cli_option *next_option(parser *p, int argc, char **argv, cli_options *out)
{
    char reason[PARSE_WHY_BYTES];
    int value = getopt_long(argc, argv, p->letters, p->longs, NULL);
    if (value == -1)
        return NULL;
    if (value == '?' || value == ':') {
        describe_refusal(p->bit, value, argv[optind - 1], p->sentence, sizeof p->sentence);
        return NULL;
    }
    const cli_option *option = &table[find_option(p->bit, value)];
    if (!option->set || option->set(out, optarg, reason) == 0)
        return option;
    snprintf(p->sentence, sizeof p->sentence, "--%s %.60s%s: %s", option->name, optarg,
             strlen(optarg) > 60 ? "..." : "", reason);
    return NULL;
}

int options_parse(const cli_command *command, int argc, char **argv, cli_options *out)
{
    parser p;
    begin(&p, command->bit, out);
    out->command = command->name;
    const cli_option *option;
    while ((option = next_option(&p, argc, argv, out)) != NULL)
        if (!option->set) {
            options_print_help(command);
            return EXIT_DONE;
        }
    if (p.sentence[0])
        return usage_error(command, p.sentence);
    out->operands = argv + optind;
    out->operand_count = argc - optind;
    return -1;
}

/* Why a command cannot be repeated; NULL: it can, and is parsed. */
static const char *refuse_to_repeat(parser *p, int argc, char **argv, cli_options *out)
{
    const cli_option *option;
    optind = 0; /* begins anew, GNU's way */
    begin(p, measuring_bit(argv[0]), out);
    if (!p->bit)
        return "it is none of bench, copy and run";
    while ((option = next_option(p, argc, argv, out)) != NULL)
        if (!option->set || !option->help || out->list)
            return "it measures nothing of its own";
    if (p->sentence[0])
        return p->sentence;
    for (int i = optind; i < argc; i++)
        if (argv[i][0] == '-')
            return "an operand begins with \"-\"";
    out->operands = argv + optind;
    out->operand_count = argc - optind;
    return NULL;
}

int options_repeat(int argc, char **argv, cli_options *out, options_taker take, void *user,
                   char *reason, size_t bytes)
{
    parser p;
    const char *refusal = argc ? refuse_to_repeat(&p, argc, argv, out) : "it is not known";
    if (refusal) {
        snprintf(reason, bytes, "%s", refusal);
        return -1;
    }
    take(user, argv[0]);
    for (int i = 0; i < out->operand_count; i++)
        take(user, out->operands[i]);
    cli_options again;
    const cli_option *option;
    optind = 0;
    begin(&p, p.bit, &again);
    while ((option = next_option(&p, argc, argv, &again)) != NULL) {
        char name[64];
        if (option->commands & OF_PROCESS)
            continue;
        snprintf(name, sizeof name, "--%s", option->name);
        take(user, name);
        if (option->argument)
            take(user, optarg);
    }
    return 0;
}

#define HELP_WIDTH 80

/* Prints a help text in lines of HELP_WIDTH columns, each beginning behind the label's column. */
static void print_lines(const char *label, int width, const char *text)
{
    terminal_wrap(stdout, text, printf("  %-*s", width, label), 2 + width, HELP_WIDTH);
}

static void print_workloads(void)
{
    char text[256];
    printf("\nWorkloads:\n");
    for (const workload *const *which = workloads; *which; which++) {
        const workload *w = *which;
        print_lines(w->name, 8, w->summary);
        snprintf(text, sizeof text, "--size: %s, up to %" PRIu64 " (%s)", w->param_help,
                 w->size_max, w->sizes);
        print_lines("", 8, text);
        size_t used = 0;
        for (const char *const *variant = w->variants; variant && *variant; variant++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                     variant == w->variants ? "--variant: " : ", ", *variant);
        if (used)
            print_lines("", 8, text);
    }
}

static void print_copies(void)
{
    printf("\nKinds of memory:\n");
    for (const cli_term *t = copy_kinds; t->name; t++)
        print_lines(t->name, 20, t->meaning);
    printf("\nDirections:\n");
    for (const cli_term *t = copy_ways; t->name; t++)
        print_lines(t->name, 20, t->meaning);
}

static void print_run(void)
{
    printf("\nFiles: .cl (OpenCL C), .comp (GLSL), .spv, .wgsl, .cu (CUDA C), .ptx, .metal.\n"
           "A comment in the first 50 lines may have defaults: // kerntime: -n 16Mi\n"
           "\nExamples:\n"
           "  kerntime run saxpy.cl -n 16Mi            arguments are guessed\n"
           "  kerntime run saxpy.cl saxpy.comp         one kernel by two APIs, compared\n"
           "  kerntime run blur.cl --list              kernels, and what they take\n"
           "  kerntime run 'axpy.cu:axpy<float,4>'     a template\n"
           "  kerntime run sum.cl --local 64..1024     the fastest size of a group\n"
           "  kerntime run gemm.cl:fast -n 1024 -D TILE=8,16,32 -D WPT=1,2,4 \\\n"
           "    --global 'n/WPT,n' --local 'TILE,TILE/WPT' --if 'TILE %% WPT == 0' \\\n"
           "    --check gemm.cl:naive --flops '2*n^3'  the fastest variants that are right\n");
}

static void print_trace(void)
{
    printf("\nExamples:\n"
           "  kerntime trace ./app input.dat              a table when it has ended\n"
           "  kerntime trace --trace t.json -- ./app -v   and a time line\n"
           "  kerntime trace --kernels 'gemm*' --by-size ./app\n"
           "  kerntime trace --runs 5 --json new.json ./app && \\\n"
           "    kerntime compare old.json new.json        what changed\n"
           "  kerntime trace mpirun -n 4 ./app            one table of all ranks\n"
           "  mpirun -n 4 kerntime trace -o t-%%r.txt ./app  a table of each rank\n");
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
    if (command->bit == TRACE)
        printf("Usage: kerntime %s [OPTION]... [--] %s\n", command->name, command->operands);
    else
        printf("Usage: kerntime %s%s%s [OPTION]...\n", command->name,
               command->operands[0] ? " " : "", command->operands);
    if (command->sides)
        printf("       kerntime %s --baseline %s... --contender %s... [OPTION]...\n", command->name,
               command->sides, command->sides);
    printf("\n%s\n\nOptions:\n", command->summary);
    const cli_option *option;
    for (size_t i = 0; (option = command_option(command, i)) != NULL; i++)
        print_option(option);
    if (command->bit == BENCH)
        print_workloads();
    if (command->bit == COPY)
        print_copies();
    if (command->bit == RUN)
        print_run();
    if (command->bit == TRACE)
        print_trace();
    printf("\nExit codes:\n");
    for (const cli_exit_code *exit_code = exit_codes; exit_code->meaning; exit_code++) {
        char code[16];
        if (!(exit_code->commands & command->bit))
            continue;
        snprintf(code, sizeof code, "%d", exit_code->code);
        print_lines(code, 4, exit_code->meaning);
    }
}

int options_refuse_operands(const cli_options *options, const char *instead)
{
    if (!options->operand_count)
        return EXIT_DONE;
    fprintf(stderr, "kerntime %s: \"%s\" is too much; %s\n", options->command, options->operands[0],
            instead);
    return EXIT_USAGE;
}

int options_check_measure(const cli_options *options)
{
    if (!options->measure.cold || options->measure.trials <= 1)
        return EXIT_DONE;
    fprintf(stderr, "kerntime %s: --cold: only the first of several --trials is cold\n",
            options->command);
    return EXIT_USAGE;
}
