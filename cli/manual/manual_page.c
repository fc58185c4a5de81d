/* The man page, in the macros of mdoc(7). Options, workloads, backends and exit codes come from
 * where the program has them; what is written here is what only a reader needs. */
#include "cli/manual/manual.h"
#include "workloads/workload.h"

#include <inttypes.h>
#include <string.h>

#define MANUAL_DATE "November 21, 2026" /* of the latest change to the words of this file */

/* A line of text. In words that begin with a dash, each dash is to stay one when it is copied. */
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

/* An option's name, for the end of a line of macros. */
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
            ".Sh NAME\n.Nm kerntime\n.Nd one stopwatch for every compute API\n.Sh SYNOPSIS\n",
            MANUAL_DATE, kt_version());
    for (const cli_command *c = commands; c->name; c++) {
        fprintf(to, ".Nm\n.Cm %s\n", c->name);
        if (*c->operands)
            fprintf(to, ".Ar %s\n", c->operands);
        fprintf(to, ".Op Ar option ...\n");
        if (c->sides)
            fprintf(to,
                    ".Nm\n.Cm %s\n.Fl \\-base Ar %s ...\n.Fl \\-new Ar %s ...\n.Op Ar option ...\n",
                    c->name, c->sides, c->sides);
    }
    fprintf(to, ".Nm\n.Cm help\n.Op Ar command\n.Nm\n.Fl \\-version\n");
}

static void put_description(FILE *to)
{
    fprintf(to, ".Sh DESCRIPTION\n.Nm\n"
                "measures how long kernels and copies take on a device, in the same way for every\n"
                "compute API.\n"
                "Every output is verified before its time is shown.\n"
                "Every number comes with how it was obtained, how fine the clock is, what was\n"
                "thrown away, and how sure it is.\n"
                "Vendors' drivers are opened at run time, and one that is missing is an ordinary\n"
                "answer.\n.Pp\n"
                "The table goes to standard output, progress and advice to standard error.\n"
                "Ctrl-C ends a measurement; what was measured until then is written.\n");
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
    fprintf(to, ".Ss kerntime help [command]\nShows the help of a command, or the commands.\n");
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
                "Memory is of these kinds:\n");
    put_terms(to, copy_kinds);
    fprintf(to, ".Pp\nA direction is named by the kinds at its ends:\n");
    put_terms(to, copy_ways);
    fprintf(to, ".Pp\n"
                "Which of them a device offers is told by\n.Nm\n.Cm devices .\n"
                "Every copy is verified: what is written depends on the place and on the sample.\n"
                "Where a device is measured, so is\n.Ql cpu:0 ,\n"
                "named or not: this machine's memory stands beside every device.\n"
                "Of sizes that a device cannot hold, or that take more than half of this\n"
                "machine's memory, the reason is told.\n");
}

/* The keys of a scenario; a test sees that they are those which the program takes. */
static const struct {
    const char *key;
    const char *meaning;
} scenario_keys[] = {
    {"period_ns", "length of a tick, in ns"},
    {"bits", "width of the counter; it begins anew after that many"},
    {"start", "first tick"},
    {"drift_ppm", "how much faster than the host's clock the counter runs, in millionths"},
    {"grid_ns", "stamps move in such steps"},
    {"floor_ns", "span of an empty step"},
    {"kernel_ns", "true duration of a dispatch"},
    {"gap_ns", "between two steps of a job; below 0: they overlap by that"},
    {"copy_gbs", "speed of a copy, in GB/s"},
    {"latency_ns", "what a copy takes however short, and a mapping however long"},
    {"jitter_ns", "noise of each duration: its standard deviation"},
    {"jitter_share", "the same as a share of the duration, 0 to 1"},
    {"pair_jitter_ns", "noise of the relation of the two clocks"},
    {"pair_place", "where in such a pair the counter is read, 0 to 1; usually anywhere"},
    {"zero", "share of stamps, 0 to 1, that stay 0"},
    {"negative", "share of stamps that end before they begin"},
    {"lost", "share of stamps that never arrive"},
    {"reset", "the counter begins anew after that many ms"},
    {"fail", "number of the driver call that fails, from 1"},
    {"hang", "number of the submission that never completes"},
    {"wrong", "number of the result that is wrong"},
    {"period_told", "0: nobody tells the length of a tick"},
    {"bits_told", "0: nobody tells the width of the counter"},
    {"pairs", "0: the two clocks cannot be asked for at one moment"},
    {"seed", "seed of the noise"},
};

static void put_devices(FILE *to, const manual *m)
{
    fprintf(to, ".Sh DEVICES\n"
                "A device is named by its backend and a number, as in\n.Ql opencl:0 ;\n"
                "a backend alone means all of its devices.\nThe backends are\n.Pp\n"
                ".Bl -tag -width level_zero -compact\n");
    for (uint32_t i = 0; i < kt_backend_count(m->context); i++) {
        const kt_backend_info *backend = kt_backend_get(m->context, i);
        fprintf(to, ".It Cm %s\n", backend->name);
        put_text(to, backend->title);
        if (backend->simulated)
            fprintf(to, "(no real device: used only when it is named)\n");
    }
    fprintf(to, ".El\n.Pp\n"
                "A simulated device does what its scenario says, in no time, and gives the same\n"
                "numbers on every machine.\nThe scenario follows a second colon, as in\n"
                ".Ql sim:0:period_ns=52.083333,bits=32,seed=7 .\nIts keys are\n.Pp\n"
                ".Bl -tag -width pair_jitter_ns -compact\n");
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
            "opens each device, and gives it up if it does not answer within 5 s.\n"
            "It tells of each of its clocks how long a tick is, how wide the counter is and when\n"
            "it wraps, and how its stamps relate to the host's clock.\n"
            "What is\n.Dq told\n"
            "is so by the driver or by the API's specification.\n"
            "All else was found, from pairs, where the API reads both clocks at one moment, or\n"
            "else from empty commands, each between two readings of the host's clock.\n"
            "A clock\n.Dq within\n"
            "some time of the host's allows 99 of 100 stamps to be placed there so well.\n"
            "What cannot be found is said with its reason.\n"
            "Of a clock whose method is\n.Dq event\\-pair\n"
            "there is only how far two events are apart, and not when they were;\n"
            ".Dq event\\-pair\\-held\n"
            "is the same, with all between the events queued while a kernel held the stream, so\n"
            "that no pause of launching is in the time.\n"
            "HIP has only the former.\n"
            "One whose method is\n.Dq command\\-buffer\n"
            "tells start and end of a whole command buffer of Metal, of which each step has one.\n"
            "In what steps a clock moves, and how long an empty step is, is measured by\n"
            ".Nm\n.Cm bench empty .\n.Pp\n"
            ".Nm\n.Cm doctor\n"
            "measures all of this and more in some seconds a device, and says what it means.\n"
            "What is\n.Dq good\n"
            "is as it should be; with what is a\n.Dq note ,\n"
            "kerntime copes by itself; a\n.Dq WARNING\n"
            "is a limit of the numbers to know about; with a\n.Dq FAULT\n"
            "some cannot be had, or not be believed.\n"
            "The last line about a device is the shortest kernel that it can rank: one that is a\n"
            "tenth faster can still be told from it.\n.Pp\n"
            "A device whose driver gives no stamps has no clock, and wall times alone.\n"
            "What a driver is known to do wrong without an error stands behind\n.Dq known .\n");
}

static void put_environment(FILE *to)
{
    fprintf(to, ".Sh ENVIRONMENT\n.Bl -tag -width 4n\n"
                ".It Ev KERNTIME_BACKENDS\n"
                "The only backends that are loaded, as in\n.Ql cpu,opencl .\n");
    fprintf(to, ".It Ev KERNTIME_LIB_ Ns Ar BACKEND\n"
                "The driver library that a backend opens, in place of the usual ones, as in\n"
                ".Bd -literal -compact\n" /* groff 1.23 cannot adjust lines of such words */
                "KERNTIME_LIB_OPENCL=/opt/vendor/lib/libOpenCL.so.1\n"
                "KERNTIME_LIB_VULKAN=/opt/vulkan/lib/libvulkan.so.1\n"
                "KERNTIME_LIB_CUDA=/opt/vendor/lib/libcuda.so.1\n"
                "KERNTIME_LIB_HIP=/opt/rocm/lib/libamdhip64.so.6\n"
                "KERNTIME_LIB_LEVEL_ZERO=/opt/vendor/lib/libze_loader.so.1\n"
                "KERNTIME_LIB_WEBGPU=/opt/dawn/lib/libwebgpu_dawn.so\n"
                ".Ed\n"
                "It must be an absolute path.\nOf WebGPU only Dawn is taken.\n");
    fprintf(to, ".It Ev KERNTIME_LIB_NVRTC , KERNTIME_LIB_HIPRTC\n"
                "The compiler of kernels in CUDA C on CUDA and on HIP devices, likewise.\n"
                ".It Ev KERNTIME_LIB_OBJC\n"
                "The runtime of Objective\\-C, by which Metal is called, likewise.\n"
                ".It Ev KERNTIME_LIB_NVML\n"
                "The library that tells the version of NVIDIA's driver, likewise.\n.El\n.Pp\n"
                "None of them is read where the process runs with the rights of another user.\n"
                "Which drivers the loaders of OpenCL, Vulkan and Level Zero find is set by\n"
                ".Ev OCL_ICD_VENDORS ,\n.Ev VK_ICD_FILENAMES\nand\n"
                ".Ev ZE_ENABLE_ALT_DRIVERS .\n");
    fprintf(to, "Which GPUs or tiles are devices of Level Zero, so which is\n"
                ".Ql level_zero:0 ,\nis also set by\n"
                ".Ev ZE_FLAT_DEVICE_HIERARCHY\nand\n.Ev ZE_AFFINITY_MASK .\n");
}

static void put_files(FILE *to)
{
    fprintf(to, ".Sh FILES\n"
                "A result file holds every sample and how it was obtained, as JSON; it is written\n"
                "under another name first, so there is never half a file.\n"
                "Its keys are described in\n.Pa result-file.md ,\nand for validators in\n"
                ".Pa kerntime\\-1.schema.json ,\nboth among the documents of kerntime.\n");
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

/* Run by a test, on a simulated device where none is named. */
static const struct {
    const char *meaning;
    const char *command;
} examples[] = {
    {"What is here, how its clocks tick, what is missing and why:", "kerntime devices"},
    {"What the clocks of a device can and cannot resolve:", "kerntime doctor"},
    {"A matrix multiplication on each device, and its speed-up over one core:",
     "kerntime bench matmul --size 32..512"},
    {"What a launch costs, and a dispatch among a thousand:", "kerntime bench empty"},
    {"Another kernel, a fixed number of samples, and a file of all that was measured:",
     "kerntime bench matmul --variant tiled --size 64 --samples 20..20 --json result.json"},
    {"Before a change, in several processes, for each of them differs:",
     "kerntime bench matmul --size 64 --runs 5 --json base.json"},
    {"After it, likewise:", "kerntime bench matmul --size 64 --runs 5 --json new.json"},
    {"What changed, and how surely:", "kerntime compare base.json new.json"},
    {"What it takes to bring data to a device and back, beside this machine's memory:",
     "kerntime copy --direction heap-device,device-heap --size 8KiB..1MiB"},
    {"How a device with a coarse and narrow clock would look:",
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
