/* SPDX-License-Identifier: MIT */
/* manual_page.c - writes the man page with the macros of mdoc(7). Options, workloads, backends and
 * exit codes come from the program's tables. This file has only the text that those lack. */
#include "cli/manual/manual.h"
#include "workloads/workload.h"

#include <inttypes.h>
#include <string.h>

#define MANUAL_DATE "November 23, 2026" /* latest change to the text of this file */

/* Writes a line of text. Escapes the dashes of a word that begins with one, so that they can be
 * copied. */
static void put_text(FILE *to, const char *text)
{
    if (*text == '.' || *text == '\'')
        fprintf(to, "\\&");
    bool begins = true, code = false;
    for (; *text; begins = strchr(" \n(", *text) != NULL, text++) {
        if (begins)
            code = *text == '-';
        if (*text == '\\')
            fprintf(to, "\\e");
        else if (*text == '-' && code)
            fprintf(to, "\\-");
        else
            fputc(*text == '\n' ? ' ' : *text, to);
    }
    fputc('\n', to);
}

/* Writes an option's name at the end of a macro line. */
static void put_name(FILE *to, const char *name)
{
    for (; *name; name++)
        fprintf(to, "%s%c", *name == '-' ? "\\" : "", *name);
}

static void put_option(FILE *to, const cli_option *o)
{
    fprintf(to, ".It ");
    if (o->letter)
        fprintf(to, "Fl %c , ", o->letter);
    fprintf(to, "Fl \\-");
    put_name(to, o->name);
    if (o->argument)
        fprintf(to, " Ar %s", o->argument);
    fprintf(to, "\n");
    put_text(to, o->help);
}

static void put_head(FILE *to)
{
    fprintf(to,
            ".\\\" Made by the build from the program's own tables; change those.\n"
            ".Dd %s\n.Dt KERNTIME 1\n.Os kerntime %s\n"
            ".Sh NAME\n.Nm kerntime\n.Nd how long kernels and copies take, on any compute API\n.Sh "
            "SYNOPSIS\n",
            MANUAL_DATE, kt_version());
    for (const cli_command *c = commands; c->name; c++) {
        fprintf(to, ".Nm\n.Cm %s\n", c->name);
        if (c->bit == TRACE) /* what follows PROGRAM is PROGRAM's */
            fprintf(to, ".Op Ar option ...\n");
        if (*c->operands)
            fprintf(to, ".Ar %s\n", c->operands);
        if (c->bit != TRACE)
            fprintf(to, ".Op Ar option ...\n");
        if (c->sides)
            fprintf(to,
                    ".Nm\n.Cm %s\n.Fl \\-baseline Ar %s ...\n.Fl \\-contender Ar %s ...\n.Op Ar "
                    "option ...\n",
                    c->name, c->sides, c->sides);
    }
    fprintf(to, ".Nm\n.Cm help\n.Op Ar command\n.Nm\n.Fl V | \\-version\n");
}

static void put_description(FILE *to)
{
    fprintf(to, ".Sh DESCRIPTION\n.Nm\n"
                "measures how long kernels and copies take on a device, in the same way for every\n"
                "compute API.\n"
                "It verifies every output before it shows a time.\n"
                "Every time has a confidence interval, the method, the clock resolution and the\n"
                "number of discarded samples.\n"
                "Drivers are loaded at run time; a missing driver is no error.\n.Pp\n"
                "The table goes to standard output, progress and advice to standard error.\n"
                "Ctrl-C ends a measurement; results so far are written.\n");
}

static void put_commands(FILE *to)
{
    fprintf(to, ".Sh COMMANDS\n");
    for (const cli_command *c = commands; c->name; c++) {
        fprintf(to, ".Ss kerntime %s%s%s\n", c->name, *c->operands ? " " : "", c->operands);
        put_text(to, c->summary);
        fprintf(to, ".Bl -tag -width 4n\n");
        const cli_option *o;
        for (size_t i = 0; (o = command_option(c, i)) != NULL; i++)
            put_option(to, o);
        fprintf(to, ".El\n");
    }
    fprintf(
        to,
        ".Ss kerntime help [word]\nShows the help of a command, explains a word of the output, or "
        "lists the commands.\n");
}

static void put_workloads(FILE *to)
{
    fprintf(to, ".Sh WORKLOADS\n.Bl -tag -width 4n\n");
    for (const workload *const *which = workloads; *which; which++) {
        const workload *w = *which;
        fprintf(to, ".It Cm %s\n", w->name);
        put_text(to, w->summary);
        fprintf(to, ".br\n.Fl \\-size :\n");
        put_text(to, w->param_help);
        fprintf(to, "(up to %" PRIu64 ", usually %s).\n", w->size_max, w->sizes);
        if (w->variants) {
            fprintf(to, ".br\n.Fl \\-variant :\n");
            manual_put_words(to, w->variants, ", ");
            fprintf(to, ".\n");
        }
    }
    fprintf(to, ".El\n");
}

static void put_terms(FILE *to, const cli_term *terms)
{
    fprintf(to, ".Bl -tag -width 4n\n");
    for (; terms->name; terms++) {
        fprintf(to, ".It Cm ");
        put_name(to, terms->name);
        fprintf(to, "\n");
        put_text(to, terms->meaning);
    }
    fprintf(to, ".El\n");
}

static void put_copies(FILE *to)
{
    fprintf(to, ".Sh COPIES\n"
                "Kinds of memory:\n");
    put_terms(to, copy_kinds);
    fprintf(to, ".Pp\nA direction names its source and destination:\n");
    put_terms(to, copy_ways);
    fprintf(to, ".Pp\n"
                ".Nm\n.Cm devices\nlists the directions of each device.\n"
                "Every copy is verified, with data that depends on position and sample.\n"
                ".Ql cpu:0\nis always measured as well, for comparison with host memory.\n"
                "Sizes that do not fit the device, or need more than half of the host's memory,\n"
                "are skipped with a reason.\n");
}

/* Keys of a scenario. A test compares them with the keys that the program accepts. */
static const struct {
    const char *key;
    const char *meaning;
} scenario_keys[] = {
    {"period_ns", "length of a tick, in ns"},
    {"bits", "counter width in bits; the counter then wraps"},
    {"start", "first tick"},
    {"drift_ppm", "drift of the counter against the host's clock, in ppm"},
    {"resolution_ns", "clock resolution, in ns"},
    {"host_resolution_ns", "resolution of the host's clock, in ns"},
    {"min_span_ns", "shortest measurable span, in ns"},
    {"kernel_ns", "true duration of a dispatch, in ns"},
    {"gap_ns", "gap between two steps of a job, in ns; below 0: they overlap"},
    {"copy_gbs", "speed of a copy, in GB/s"},
    {"latency_ns", "fixed time of a copy or mapping of any size, in ns"},
    {"jitter_ns", "standard deviation of the noise of each duration, in ns"},
    {"jitter_share", "the same as a share of the duration, 0 to 1"},
    {"calibration_jitter_ns", "noise of calibrated timestamps, in ns"},
    {"calibration_place",
     "position of the counter reading between the two host readings, 0 to 1 (random)"},
    {"zero", "share of timestamps, 0 to 1, that stay 0"},
    {"negative", "share of timestamp pairs with the end before the start"},
    {"lost", "share of timestamps that never arrive"},
    {"clock_mhz", "core clock, in MHz; 0: unknown"},
    {"throttled",
     "share of each 100 ms, at their end, in which the device is hot and half as fast"},
    {"power_w", "power under load, in W; a quarter of it while idle; 0: unknown"},
    {"energy_step_ms", "time from one update of the energy counter to the next; 0: no counter"},
    {"reset", "the counter resets after that many ms"},
    {"fail", "number of the driver call that fails, from 1"},
    {"hang", "number of the submission that never completes"},
    {"wrong", "number of the result that is wrong"},
    {"period_reported", "0: tick length not reported"},
    {"bits_reported", "0: counter width not reported"},
    {"calibrated_timestamps", "0: no calibrated timestamps"},
    {"seed", "seed of the noise"},
    {"uuid", "number that its UUID is made of; 0: of its own number and the scenario"},
    {"pci", "bus of its PCI address, 0 to 255; its own number plus 1 without it"},
};

static void put_devices(FILE *to, const manual *m)
{
    fprintf(to, ".Sh DEVICES\n"
                "A device is named by its backend and a number, as in\n.Ql opencl:0 ;\n"
                "a backend alone means all of its devices,\n.Cm gpu\nall GPUs of all "
                "backends.\nThe backends are\n.Pp\n"
                ".Bl -tag -width level_zero -compact\n");
    for (uint32_t i = 0; i < kt_backend_count(m->context); i++) {
        const kt_backend_info *backend = kt_backend_get(m->context, i);
        fprintf(to, ".It Cm %s\n", backend->name);
        put_text(to, backend->title);
        if (backend->simulated)
            fprintf(to, "(no real device: used only if named)\n");
    }
    fprintf(to, ".El\n.Pp\n"
                "Without\n.Fl d\nevery real device is measured.\n"
                "Beside a GPU, other devices that run on the CPU than\n.Ql cpu:0\nare left out.\n"
                "Without a GPU, one of these is left out from the size on that takes it longer\n"
                "than all other devices together.\nA line names what is left out.\n.Pp\n"
                "A simulated device follows its scenario, takes no real time, and gives the same\n"
                "numbers on every machine.\nThe scenario follows a second colon, as in\n"
                ".Ql sim:0:period_ns=52.083333,bits=32,seed=7 .\nIts keys are\n.Pp\n"
                ".Bl -tag -width calibration_jitter_ns -compact\n");
    for (size_t i = 0; i < sizeof scenario_keys / sizeof scenario_keys[0]; i++) {
        fprintf(to, ".It Cm %s\n", scenario_keys[i].key);
        put_text(to, scenario_keys[i].meaning);
    }
    fprintf(to, ".El\n");
}

static void put_clocks(FILE *to)
{
    fprintf(to,
            ".Sh CLOCKS\n.Nm\n.Cm devices\n"
            "opens each device and lists its clocks.\n"
            "It gives up on a device that does not answer within 5 s.\n"
            "For each clock it shows the tick length, the counter width, the time until the\n"
            "counter wraps, and how timestamps convert to host time.\n"
            ".Dq reported\n"
            "values come from the driver or from the API's specification.\n"
            ".Dq measured\n"
            "values come from calibrated timestamps, where the API reads both clocks at one "
            "moment, or\n"
            "from bracketed submissions: empty commands between two readings of the host's clock.\n"
            ".Dq within\n"
            "is the uncertainty of that conversion, which 99 of 100 timestamps meet.\n"
            "Unknown values are shown with the reason.\n"
            "Below, it shows the state of the device when it was opened: clocks, temperature, "
            "power,\n"
            "throttling and other processes, as far as they are known.\n.Pp\n"
            "Methods of clocks:\n"
            ".Bl -tag -width 4n\n"
            ".It Cm event\\-pair\n"
            "Elapsed-only: gives the time between two events, not when they happened.\n"
            ".It Cm event\\-pair\\-blocked\n"
            "The same, but a blocking kernel runs while the work is queued.\n"
            "So the time contains no launch gaps.\n"
            "HIP does not have it.\n"
            ".It Cm command\\-buffer\n"
            "Start and end of a command buffer of Metal; each step has its own.\n"
            ".El\n.Pp\n"
            ".Nm\n.Cm bench empty\n"
            "measures clock resolution and shortest measurable span.\n.Pp\n"
            ".Nm\n.Cm doctor\n"
            "measures all of this and more, in some seconds per device, and explains it.\n"
            "Severities:\n"
            ".Bl -tag -width 4n\n"
            ".It good\nas it should be\n"
            ".It note\nhandled by kerntime\n"
            ".It WARNING\na limit of the numbers\n"
            ".It FAULT\nsome numbers are missing or untrusted\n"
            ".El\n.Pp\n"
            "The last line of a device is the shortest kernel for which a difference of 10 %%\n"
            "is detectable.\n.Pp\n"
            "A device without timestamps has no clock, only wall times.\n"
            "Known driver errors are shown behind\n.Dq issue .\n");
}

static void put_environment(FILE *to)
{
    fprintf(to, ".Sh ENVIRONMENT\n.Bl -tag -width 4n\n"
                ".It Ev KERNTIME_BACKENDS\n"
                "Backends to load, as in\n.Ql cpu,opencl ;\nno others are loaded.\n");
    fprintf(to,
            ".It Ev KERNTIME_CLOCK\n"
            "Clock of scopes and of timers of the CPU:\n.Ql tsc\nfor the CPU's counter,\n.Ql os\n"
            "for the system's clock.\n"
            "Without it, the counter where it is fit;\n.Nm\n.Cm devices\nsays why.\n");
    fprintf(to, ".It Ev KERNTIME_LIB_ Ns Ar BACKEND\n"
                "Driver library to load for a backend, instead of the usual ones, as in\n"
                ".Bd -literal -compact\n" /* groff 1.23 cannot justify lines of such words */
                "KERNTIME_LIB_OPENCL=/opt/vendor/lib/libOpenCL.so.1\n"
                "KERNTIME_LIB_VULKAN=/opt/vulkan/lib/libvulkan.so.1\n"
                "KERNTIME_LIB_CUDA=/opt/vendor/lib/libcuda.so.1\n"
                "KERNTIME_LIB_HIP=/opt/rocm/lib/libamdhip64.so.6\n"
                "KERNTIME_LIB_LEVEL_ZERO=/opt/vendor/lib/libze_loader.so.1\n"
                "KERNTIME_LIB_WEBGPU=/opt/dawn/lib/libwebgpu_dawn.so\n"
                ".Ed\n"
                "It must be an absolute path.\nFor WebGPU, only Dawn is supported.\n");
    fprintf(to, ".It Ev KERNTIME_LIB_NVRTC , KERNTIME_LIB_HIPRTC\n"
                "Library that compiles CUDA C kernels for CUDA and HIP devices.\n"
                ".It Ev KERNTIME_LIB_OBJC\n"
                "Objective\\-C runtime library, used for Metal.\n"
                ".It Ev KERNTIME_LIB_NVML\n"
                "Library that reports the version of NVIDIA's driver.\n"
                ".It Ev KERNTIME_SYSFS\n"
                "Folder in place of /sys, where the state of devices is read.\n"
                ".It Ev KT_REPORT\n"
                "File for the statistics that a program with libkerntime records about itself:\n"
                "it ends with .txt, .json or .csv, or is \\- or stderr.\n.El\n.Pp\n"
                "All of them are ignored in set-user-ID programs.\n"
                "These variables select the drivers that the loaders of OpenCL, Vulkan and Level "
                "Zero find:\n"
                ".Ev OCL_ICD_VENDORS ,\n.Ev VK_ICD_FILENAMES\nand\n"
                ".Ev ZE_ENABLE_ALT_DRIVERS .\n");
    fprintf(to, ".Ev ZE_FLAT_DEVICE_HIERARCHY\nand\n.Ev ZE_AFFINITY_MASK\n"
                "select the GPUs or tiles that are devices of Level Zero, and so their numbers.\n");
}

static void put_files(FILE *to)
{
    fprintf(to, ".Sh FILES\n"
                "A result file contains every sample and its method, as JSON.\n"
                "It is written under a temporary name first, so it is never incomplete.\n"
                "The documentation describes its keys in\n.Pa result-file.md\n"
                "and has a schema in\n.Pa kerntime\\-1.schema.json .\n");
}

static void put_exit_status(FILE *to)
{
    fprintf(to, ".Sh EXIT STATUS\n.Bl -tag -width 4n -compact\n");
    for (const cli_exit_code *e = exit_codes; e->meaning; e++) {
        const cli_command *only = NULL;
        for (const cli_command *c = commands; c->name; c++)
            if (c->bit == e->commands)
                only = c;
        fprintf(to, ".It %d\n", e->code);
        if (only)
            fprintf(to, "%s:\n", only->name);
        put_text(to, e->meaning);
    }
    fprintf(to, ".El\n");
}

/* Examples. A test runs them, on a simulated device if they name none. */
static const struct {
    const char *meaning;
    const char *command;
} examples[] = {
    {"Available devices, their clocks, and missing drivers with reasons:", "kerntime devices"},
    {"Limits and faults of timestamps and clocks:", "kerntime doctor"},
    {"Matrix multiplication on each device, with speed-up over one core:",
     "kerntime bench matmul --size 32..256 --max-time 300ms"},
    {"Cost of a launch, and of a dispatch among a thousand:", "kerntime bench empty"},
    {"Another kernel, a fixed number of samples, and a result file:",
     "kerntime bench matmul --variant tiled --size 64 --samples 20..20 --json result.json"},
    {"Before a change, in several processes, since times differ by process:",
     "kerntime bench matmul --size 64 --runs 5 --json base.json"},
    {"After the change:", "kerntime bench matmul --size 64 --runs 5 --json new.json"},
    {"Compare both:", "kerntime compare base.json new.json"},
    {"Copies to a device and back, compared with host memory:",
     "kerntime copy --direction heap-device,device-heap --size 8KiB..1MiB"},
    {"As a rank of srun, mpirun or torchrun, into a file of its own:",
     "kerntime bench matmul --size 64 --runs 5 -q --json '%h.%r.json'"},
    {"Which devices of all files in this folder are slow:", "kerntime fleet ."},
    {"A simulated device with a coarse clock and a narrow counter:",
     "kerntime bench matmul --size 64 -d sim:0:period_ns=52.083333,bits=32,jitter_ns=400"},
};

static void put_examples(FILE *to)
{
    fprintf(to, ".Sh EXAMPLES\n");
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        fprintf(to, "%s", i ? ".Pp\n" : "");
        put_text(to, examples[i].meaning);
        fprintf(to, ".Pp\n.Dl ");
        put_text(to, examples[i].command);
    }
    fprintf(to, ".Sh SEE ALSO\n.Xr clinfo 1 ,\n.Xr vulkaninfo 1\n");
}

void manual_page(FILE *to, const manual *m)
{
    put_head(to);
    put_description(to);
    put_commands(to);
    put_workloads(to);
    put_copies(to);
    put_devices(to, m);
    put_clocks(to);
    put_environment(to);
    put_files(to);
    put_exit_status(to);
    put_examples(to);
}
