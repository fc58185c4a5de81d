/* SPDX-License-Identifier: MIT */
/*
 * kerntime-hw-check - is what kerntime says of the GPUs of this machine right? Conformance on every
 * one, and for those whose kernels can tell how long they ran, how exact device times are, what
 * timing costs, and how fast copies are.
 */
#include "bench/bench.h"
#include "bench/hw/hw.h"

#include <kerntime/kerntime.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    DONE = 0,
    USAGE = 2,
    UNAVAILABLE = 3,
    FAILED = 4
}; /* as the command's (cli/options/options.h) */

#define SAMPLES_MIN 6
#define SAMPLES_MAX 256

const char bench_name[] = "kerntime-hw-check";

typedef struct settings {
    const char *json, *markdown, *conformance, *cupti, *device;
    const char *log;
    const char *no_conformance; /* why there is no suite */
    const char *only;           /* parts with commas between them; NULL: all */
    uint32_t samples;
    size_t copy_bytes;
    int copy_rounds;
} settings;

static const char usage_text[] =
    "Usage: kerntime-hw-check [OPTION...]\n"
    "\n"
    "Checks on each GPU of this machine, by any backend, whether kerntime keeps its promises, and "
    "on those of CUDA how exact its\n"
    "times are: beside what the kernels themselves say, two events by hand, and CUPTI where it is "
    "installed.\n"
    "\n"
    "  --device ID           that device alone, whatever it is\n"
    "  --only PARTS          of conformance, kernels, launches, copies and cupti, with commas "
    "between them\n"
    "  --samples N           of each kernel, 6 to 256; 30 without it\n"
    "  --copy-mib N          size of the copies; 16 without it\n"
    "  --copy-rounds N       rounds of each direction, 1 to 256; 6 without it\n"
    "  --conformance PROGRAM the suite, which `./dev hw-check` builds; without it, it is left out\n"
    "  --no-conformance TEXT the reason, for the report\n"
    "  --log FILE            where the suite's output goes; without it, beside this program\n"
    "  --cupti FILE          CUPTI's library; without it the newest that is found\n"
    "  --json FILE           all figures\n"
    "  --markdown FILE       the tables, for docs/measured; if FILE is a folder, into a file there "
    "that the GPU names\n"
    "\n"
    "Exit codes: 0 within what is asked; 2 wrong usage or an unwritable file; 3 no GPU here; 4 "
    "beyond it, something failed, or nothing was checked.\n";

/* ---- words ---- */

static bool number(const char *text, long least, long most, long *out)
{
    char *end;
    *out = strtol(text, &end, 10);
    return *text && !*end && *out >= least && *out <= most;
}

static bool is_part(const char *name, size_t length)
{
    static const char *const parts[] = {"conformance", "kernels", "launches", "copies", "cupti"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strlen(parts[i]) == length && strncmp(parts[i], name, length) == 0)
            return true;
    return false;
}

static bool are_parts(const char *only)
{
    for (;; only++) {
        size_t length = strcspn(only, ",");
        if (!is_part(only, length))
            return false;
        only += length;
        if (!*only)
            return true;
    }
}

static bool wants(const settings *s, const char *part)
{
    size_t length = strlen(part);
    for (const char *at = s->only; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, part, length) == 0 && (at[length] == ',' || !at[length]))
            return true;
    return !s->only;
}

static bool read_option(settings *s, const char *name, const char *value)
{
    const struct {
        const char *name;
        const char **to;
    } texts[] = {{"--json", &s->json},
                 {"--markdown", &s->markdown},
                 {"--cupti", &s->cupti},
                 {"--device", &s->device},
                 {"--log", &s->log},
                 {"--only", &s->only},
                 {"--conformance", &s->conformance},
                 {"--no-conformance", &s->no_conformance}};
    long n;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(name, texts[i].name) == 0) {
            *texts[i].to = value;
            return texts[i].to != &s->only || are_parts(value);
        }
    if (strcmp(name, "--samples") == 0 && number(value, SAMPLES_MIN, SAMPLES_MAX, &n))
        s->samples = (uint32_t)n;
    else if (strcmp(name, "--copy-mib") == 0 && number(value, 1, 1024, &n))
        s->copy_bytes = (size_t)n << 20;
    else if (strcmp(name, "--copy-rounds") == 0 && number(value, 1, BENCH_VALUES_MAX, &n))
        s->copy_rounds = (int)n;
    else
        return false;
    return true;
}

static bool read_options(settings *s, int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2)
        if (i + 1 == argc || !read_option(s, argv[i], argv[i + 1]))
            return false;
    return true;
}

/* ---- devices ---- */

const char *hw_library(const hw_device *d)
{
    const char *library = getenv(d->is_hip ? "KERNTIME_LIB_HIP" : "KERNTIME_LIB_CUDA");
    return library && library[0] ? library : NULL;
}

static void add_device(hw_report *report, const kt_device_info *info, int index)
{
    hw_device *d = &report->devices[report->device_count++];
    *d = (hw_device){.info = *info,
                     .is_cuda = strcmp(info->backend, "cuda") == 0,
                     .is_hip = strcmp(info->backend, "hip") == 0,
                     .index = index,
                     .fixed_ns = NAN};
}

/* Software that calls itself a device of another kind is none. */
static void find_devices(hw_report *report, kt_context *context)
{
    for (uint32_t i = 0; i < kt_backend_count(context); i++) {
        const kt_backend_info *backend = kt_backend_get(context, i);
        for (uint32_t k = 0; k < backend->device_count && !backend->simulated; k++) {
            char id[64];
            kt_device_info info;
            snprintf(id, sizeof id, "%s:%u", backend->name, (unsigned)k);
            if (report->device_count < HW_DEVICES_MAX &&
                kt_device_describe(context, id, &info) == KT_OK && info.type == KT_DEVICE_GPU)
                add_device(report, &info, (int)k);
        }
    }
}

static int choose_devices(hw_report *report, kt_context *context, const char *named)
{
    kt_device_info info;
    if (!named) {
        find_devices(report, context);
        if (report->device_count)
            return DONE;
        fprintf(stderr, "%s: no GPU here: `kerntime devices` says what is missing and why\n",
                bench_name);
        return UNAVAILABLE;
    }
    kt_status status = kt_device_describe(context, named, &info);
    if (status != KT_OK) {
        fprintf(stderr, "%s: %s\n", bench_name, kt_error_text());
        return status == KT_INVALID ? USAGE : UNAVAILABLE;
    }
    const char *colon = strchr(named, ':');
    add_device(report, &info, colon ? (int)strtol(colon + 1, NULL, 10) : 0);
    return DONE;
}

/* ---- one device ---- */

static kt_device *open_device(hw_device *d, kt_context *context)
{
    kt_device *device = NULL;
    if (kt_device_open(context, d->info.id, &device) != KT_OK)
        snprintf(d->error, sizeof d->error, "%s", kt_error_text());
    return device;
}

/* Nothing but the timer limits is wanted of it. */
static void make_timer_limits(hw_device *d, kt_device *device)
{
    const kt_step step = {.name = "nothing", .kind = KT_STEP_EMPTY};
    const kt_job_desc desc = {
        .size = sizeof desc, .name = "nothing", .steps = &step, .step_count = 1};
    const kt_measure_options options = {.size = sizeof options, .samples_max = 10};
    kt_job *job = NULL;
    kt_result *result = NULL;
    kt_status status = kt_job_create(device, &desc, &job);
    if (status == KT_OK)
        status = kt_measure(job, &options, &result);
    if (status != KT_OK)
        snprintf(d->error, sizeof d->error, "%s", kt_error_text());
    const kt_timer_limits *limits = kt_device_get_timer_limits(device);
    d->measured = limits != NULL;
    if (limits)
        d->limits = *limits;
    kt_result_destroy(&result);
    kt_job_destroy(&job);
}

static void say(const hw_device *d, const char *what)
{
    fprintf(stderr, "%s: %s: %s\n", bench_name, d->info.id, what);
}

static void check_device(hw_device *d, kt_context *context, const settings *s)
{
    if (!wants(s, "conformance"))
        hw_leave_out_conformance(d, "--only leaves it out");
    else if (!s->conformance)
        hw_leave_out_conformance(d, s->no_conformance);
    else
        say(d, "conformance"), hw_check_conformance(d, s->conformance, s->log);
    kt_device *device = open_device(d, context);
    if (device)
        make_timer_limits(d, device);
    if (d->measured && (d->is_cuda || d->is_hip)) {
        if (wants(s, "kernels"))
            say(d, "kernels"), hw_check_kernels(d, device, s->samples);
        if (wants(s, "launches"))
            say(d, "launches"), hw_check_launches(d);
        if (wants(s, "copies"))
            say(d, "copies"), hw_check_copies(d, s->copy_bytes, s->copy_rounds);
        hw_ask_clocks(d);
    }
    kt_device_close(&device);
}

/* CUPTI's tools stay in the process, and make launches dearer: so this comes after everything else,
 * of all devices. */
static void check_records(hw_device *d, kt_context *context, const settings *s)
{
    if (!d->is_cuda || !d->kernel_count || !wants(s, "cupti"))
        return;
    kt_device *device = open_device(d, context);
    say(d, "records of CUPTI");
    if (device)
        hw_check_cupti(d, device, s->samples, s->cupti);
    kt_device_close(&device);
}

static bool is_beyond(hw_verdict verdict)
{
    return verdict == HW_BEYOND;
}

bool hw_passes(const hw_device *d)
{
    bool passes = !d->error[0] && !is_beyond(d->conformance.verdict) && !d->by_hand_reason[0] &&
                  !(d->is_cuda && d->truth_reason[0]);
    for (size_t i = 0; i < d->kernel_count; i++)
        passes &= !is_beyond(d->kernels[i].verdict) && !d->kernels[i].error[0];
    for (int i = 0; i < HW_LAUNCHES; i++)
        passes &= !is_beyond(d->launches[i].verdict) && !d->launches[i].error[0];
    for (size_t i = 0; i < d->copy_count; i++)
        passes &= !d->copies[i].error[0];
    return passes;
}

static bool is_anything_checked(const hw_report *report)
{
    for (size_t i = 0; i < report->device_count; i++) {
        const hw_device *d = &report->devices[i];
        if (d->conformance.is_run || d->kernel_count || d->are_launches_taken || d->copy_count)
            return true;
    }
    return false;
}

bool hw_report_passes(const hw_report *report)
{
    bool passes = is_anything_checked(report);
    for (size_t i = 0; i < report->device_count; i++)
        passes &= hw_passes(&report->devices[i]);
    return passes;
}

/* ---- files ---- */

typedef kt_status writing(const hw_report *report, const kt_sink *sink);

static int write_file(const hw_report *report, const char *path, writing *how)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        return USAGE;
    }
    kt_sink sink = kt_file_sink(file);
    kt_status status = how(report, &sink);
    if (fclose(file) != 0 || status != KT_OK) {
        fprintf(stderr, "%s: %s could not be written\n", bench_name, path);
        return USAGE;
    }
    return DONE;
}

static int write_all(const hw_report *report, const settings *s, const char *markdown)
{
    kt_sink sink = kt_file_sink(stdout);
    int code = hw_write_table(report, &sink) == KT_OK && fflush(stdout) == 0 ? DONE : USAGE;
    if (s->json && write_file(report, s->json, hw_write_json) != DONE)
        code = USAGE;
    if (s->markdown && write_file(report, markdown, hw_write_markdown) != DONE)
        code = USAGE;
    return code;
}

/* Before work starts. */
static bool are_writable(const settings *s, const char *markdown)
{
    const char *const paths[] = {s->json, s->markdown ? markdown : NULL};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        if (paths[i] && kt_path_check_writable(paths[i]) != KT_OK) {
            fprintf(stderr, "%s: %s\n", bench_name, kt_error_text());
            return false;
        }
    return true;
}

int main(int argc, char **argv)
{
    static hw_report report;
    settings s = {.no_conformance = "no suite is named: --conformance PROGRAM",
                  .samples = 30,
                  .copy_bytes = (size_t)16 << 20,
                  .copy_rounds = 6};
    kt_context *context = NULL;
    kt_report *origin = NULL;
    char markdown[4096], log[4096];
    hw_keep_environment();
    if (argc == 2 && strcmp(argv[1], "--help") == 0)
        return fputs(usage_text, stdout) < 0 ? USAGE : DONE;
    if (!read_options(&s, argc, argv))
        return fputs(usage_text, stderr), USAGE;
    if (!s.log) {
        snprintf(log, sizeof log, "%s.log", argv[0]);
        s.log = log;
    }
    if (kt_context_create(&context, NULL) != KT_OK || kt_report_create(&origin, NULL) != KT_OK) {
        fprintf(stderr, "%s: %s\n", bench_name, kt_error_text());
        return USAGE;
    }
    report.command = (const char *const *)argv;
    report.command_count = argc;
    report.origin = kt_report_get_desc(origin)->origin;
    int code = choose_devices(&report, context, s.device);
    if (code == DONE) {
        hw_name_file(&report, s.markdown, markdown, sizeof markdown);
        code = are_writable(&s, markdown) ? DONE : USAGE;
    }
    if (code == DONE && s.conformance)
        remove(s.log); /* the suite's runs on all devices are added to it */
    for (size_t i = 0; i < report.device_count && code == DONE; i++)
        check_device(&report.devices[i], context, &s);
    for (size_t i = 0; i < report.device_count && code == DONE; i++)
        check_records(&report.devices[i], context, &s);
    if (code == DONE)
        code = write_all(&report, &s, markdown);
    if (code == DONE && !is_anything_checked(&report))
        fprintf(stderr, "%s: nothing was checked\n", bench_name);
    if (code == DONE && !hw_report_passes(&report))
        code = FAILED;
    kt_report_destroy(&origin);
    kt_context_destroy(&context);
    return code;
}
