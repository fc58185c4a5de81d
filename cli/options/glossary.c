/* SPDX-License-Identifier: MIT */
#include "cli/options/glossary.h"

#include <ctype.h>
#include <string.h>

const cli_term glossary[] = {
    {"95% interval", "The confidence interval of a median. In fleet: of VS MEDIAN, for this device "
                     "alone."},
    {"accumulator", "Running count, sum and squares of durations: what a timer keeps in place of "
                    "samples."},
    {"answer",
     "In fleet: what is shown of a device: wrong, measured twice, slow, failed, undecided or "
     "good. The first of these that is true."},
    {"autocorrelated", "Each sample resembles the one before it, so they tell less than as many "
                       "independent ones. The interval is widened for it."},
    {"bad",
     "In fleet: devices of a node or slot whose results were wrong, that failed, or that were "
     "measured twice."},
    {"baseline", "In compare: the older result, which the contender is measured against. In bench: "
                 "the same work on the CPU, as sequential (one core, plain loop) and best "
                 "(vectorised, on one thread or all)."},
    {"below_min_span", "Status: the time is shorter than the shortest measurable span, so it is "
                       "no number to rank by. The table shows < x."},
    {"benchmark API", "kerntime runs the work and measures it: kt_job, kt_measure, kt_result."},
    {"best",
     "Baseline of bench: the work on the CPU, vectorised, the faster of one thread and all. "
     "Its time is wall time, and OVER BEST is against it."},
    {"bimodal", "The samples form two clusters of times. The median may lie in either, so compare "
                "runs before you trust it."},
    {"blocking kernel", "A kernel that keeps a CUDA stream busy while work is queued behind it, so "
                        "that the host's delays do not count. Method event-pair-blocked."},
    {"bracketed submissions", "Relates the device's clock to the host's: an empty submission "
                              "between two readings of the host's clock."},
    {"busy", "In trace: time with at least one command on the device."},
    {"calibrated timestamps", "Relates the device's clock to the host's: the driver reads both "
                              "clocks at one moment."},
    {"clock", "In the table: mean core clock of the device while it was measured, in MHz."},
    {"clock resolution", "The smallest step of a clock, as measured. Two times closer than that "
                         "look equal."},
    {"coarse clock", "One step of the clock is large against the scatter of the samples. More "
                     "dispatches between two timestamps (--trials) help, more samples do not."},
    {"cold", "Caches were flushed before each submission (--cold)."},
    {"common-mode shift", "The change that all rows of a comparison share. It comes from the "
                          "machine or from code that all share, so it is taken off each row."},
    {"confidence interval", "95% INTERVAL: contains the true median in 95 of 100 measurements, "
                            "whatever the distribution."},
    {"configuration",
     "In run: one kernel with one value of each -D and one group size, on one device "
     "with one n."},
    {"contender", "In compare: the newer result."},
    {"context clock", "A clock of Level Zero that runs only while the device works for this "
                      "program."},
    {"device", "What an API runs kernels on: a GPU, a CPU or another processor, such as cuda:0."},
    {"device time", "Median time on the device by its own timestamps, per dispatch."},
    {"devices", "In fleet: how many devices have a time that counts, or are on the node or in the "
                "slot."},
    {"diagnostic", "One result of doctor: what was seen, what it means, what to do."},
    {"drift", "A clock runs faster or slower than the driver reports, in ppm."},
    {"duplicate runs", "The runs of one result file, given twice."},
    {"effect",
     "In fleet: by what share the time of a device differs from that of the median device "
     "of its model: the column VS MEDIAN. Of several workloads, the worst counts."},
    {"elapsed-only clock", "A clock that gives only the time between two events, as CUDA and HIP "
                           "do."},
    {"energy", "What the device takes for one dispatch, by its energy counter (--energy), with the "
               "idle power and all that the device does meanwhile."},
    {"failed", "In fleet: a device of which a measurement failed. Its other times count."},
    {"fastest",
     "In run: the configuration with the smallest median. Those that follow behind \"not told "
     "apart\" may be as fast or faster: the set holds the truly fastest in 95 of 100 runs."},
    {"fault", "In doctor: some numbers of the device are missing or untrusted."},
    {"first use", "The first submission of a kernel, which may compile. It is reported by itself "
                  "and is no sample."},
    {"gaps", "Time between the steps of a job, on the device. Steps + gaps = span."},
    {"GB/s",
     "Least traffic of the work over the time, in 1e9 bytes per second. GFLOP/s: its arithmetic."},
    {"good", "In fleet: a device whose 95 % interval ends below the minimum effect, so that it is "
             "shown not to be slow."},
    {"groups", "Rows of a comparison that vary together count as one group."},
    {"guess", "In run: an argument or a size that nobody gave, found by type, name and text. -a, "
              "--global and --local replace it."},
    {"idle", "In trace: time without a command on the device, between the first and the last one."},
    {"in flight", "In trace: a call that had not ended, or was not read, when the program ended."},
    {"inexact", "In trace: calls of Vulkan that no barriers separate from their neighbours, so "
                "their times may contain work of those. --exact adds barriers."},
    {"instrumentation API", "Your program runs the work: timers, recordings, statistics by name."},
    {"launcher", "mpirun, srun, torchrun or another program that starts many processes together."},
    {"likely slower",
     "In compare: slower by far, but of one run a side, so not sure. --runs 3 decides."},
    {"local rank", "Number of a process among those of its node, from 0. --local-device picks the "
                   "device by it."},
    {"mean", "Arithmetic mean of the samples: the figure that articles give."},
    {"measured twice", "In fleet: several ranks of one job measured the device, so that its times "
                       "are of no use."},
    {"median", "Half of the samples are shorter. In fleet: half of the devices are faster."},
    {"median effect", "In fleet: the effect of the median device of a node or slot."},
    {"method", "How a time was obtained: device-timestamp (the device records timestamps), "
               "event-profile (OpenCL reports start and end of a command), event-pair, "
               "event-pair-blocked, command-buffer, host-wall or simulated."},
    {"minimum detectable effect", "The smallest --min-effect with which these runs show the row "
                                  "to be the same."},
    {"missing", "In fleet: a rank of the launcher's job that left no result."},
    {"model", "In fleet: devices of one name and one driver, which are compared with each other."},
    {"node", "A host of a cluster, by the launcher's name of it, else by its own."},
    {"noise", "In fleet: how much the runs of one device differ, as a standard deviation."},
    {"noisy", "In fleet: a device whose runs surely differ more than those of the others. It is "
              "judged by its own noise."},
    {"not judged", "In fleet: a device without peers. It is undecided, and other devices of the "
                   "fleet are judged."},
    {"outlier", "A sample far from the quartiles. It is counted and kept."},
    {"overhead", "What two timestamps cost a submission, as the host sees it. Below noise: too "
                 "small to measure."},
    {"overlap",
     "In trace: time with several commands on the device at once. Each further one counts."},
    {"partial", "In fleet: samples of the device are missing. The others count."},
    {"peers",
     "In fleet: the devices of one model and driver. Fewer than three have no median to be "
     "slower than, and are not judged."},
    {"power", "Mean power of the device while it was measured, in W."},
    {"rank", "Number of a process among those that a launcher started, from 0."},
    {"rank test", "The test of Mann and Whitney: whether one set of times tends to be longer than "
                  "another, whatever the distribution."},
    {"residual", "In compare: the change of a row without the common-mode shift."},
    {"robust z", "In fleet: how unusual a device is: its effect in robust standard deviations of "
                 "all devices of its model. It decides nothing."},
    {"run", "One process. --runs N measures all in N fresh processes."},
    {"run-to-run range", "Lowest and highest median of a run, with --runs."},
    {"runs", "How many processes measured the row (--runs). In fleet: of each device."},
    {"runs needed", "So many runs of baseline and contender each would decide the row."},
    {"sample", "One submission, or the median step of it: one number of a series."},
    {"sample warning", "Something noticed in the samples: autocorrelated, bimodal, coarse_clock, "
                       "drift."},
    {"sequential", "Baseline of bench: a plain loop on one core, not vectorised. Its time is wall "
                   "time, and SPEED-UP is against it."},
    {"share", "In trace: TOTAL over the sum of all TOTALs but those of maps."},
    {"shortest span", "The shortest measurable span: what an empty submission takes by the "
                      "device's timestamps. Shorter times cannot be told from nothing."},
    {"slot", "In fleet: the place of a device within its node: its PCI address, else its name."},
    {"slow", "In fleet: a device that is surely slower than the median of its model by more than "
             "the minimum effect."},
    {"slow in", "In fleet: in how many of its workloads a device is slow."},
    {"span", "From the start of a job's first step to the end of its last, on the device."},
    {"speed-up", "Device time against the sequential baseline. OVER BEST: against the best one. "
                 "WALL SPEED-UP: by wall time."},
    {"spread", "In fleet: how much the devices of one model differ, as a robust standard "
               "deviation."},
    {"step", "One kernel or copy of a job."},
    {"throttled", "Left out: samples of a device that ran at a lower clock, because of heat, its "
                  "power limit or another reason."},
    {"timer context", "Your program's device and queues, as the instrumentation API needs them."},
    {"timer limits", "Clock resolution, shortest measurable span and timestamp overhead of a "
                     "device, measured before the first kernel."},
    {"timestamp", "A reading of the device's clock, in ticks."},
    {"total", "Sum of the steps of a job, without the gaps."},
    {"tracer", "The library of kerntime within a traced program, one for each API."},
    {"tracing cost", "In trace: what tracing added to the program, without the driver's part. It "
                     "is measured within the program."},
    {"trend", "The times rise or fall from the first sample to the last. There is no interval "
              "then."},
    {"trials", "Dispatches between two timestamps. The time of one is the span over the trials."},
    {"undecided", "In fleet: a device that is shown neither to be slow nor to be good: it is about "
                  "as slow as the minimum effect, or has too few runs or too much noise."},
    {"untrusted", "Timestamps that cannot be right, for the reason given. The device keeps no "
                  "device time."},
    {"untimed", "In trace: a call without a time. A sentence has the reason."},
    {"verdict",
     "slower, faster: changed by the minimum effect or more. likely slower, likely "
     "faster: 1.5x or more in the only run of each, whose samples hardly overlap. same: "
     "shown to be less than twice the minimum effect apart. inconclusive: neither is "
     "shown. In fleet: slow, incomplete, undecided or none slow, the first that is true."},
    {"vs median", "In fleet: time of a device against that of the median device of its model: +5 % "
                  "is slower, -5 % is faster."},
    {"wall", "Median time from before the submission to after completion, by the host's clock, "
             "without timestamps."},
    {"warm-up", "Submissions before the first sample, until the times settle."},
    {"workload", "What is measured: a kernel or copy with its size, variant and step."},
    {"worst effect", "In fleet: the effect of the slowest device of a node or slot."},
    {"wrong",
     "In fleet: an output of the device was not the right one, so its times are of no use."},
    {"zero-copy", "A copy whose time does not grow with the size: the driver only maps memory."},
    {0},
};

static char folded(char c)
{
    return c == '_' || c == '-' ? ' ' : (char)tolower((unsigned char)c);
}

/* Whether `name` begins with `word`, whatever the case. */
static bool begins_with(const char *name, const char *word)
{
    while (*word && folded(*name) == folded(*word))
        name++, word++;
    return !*word;
}

const cli_term *glossary_find(const char *word)
{
    for (const cli_term *t = glossary; t->name; t++)
        if (begins_with(t->name, word) && strlen(t->name) == strlen(word))
            return t;
    return NULL;
}

const cli_term *glossary_guess(const char *word)
{
    for (const cli_term *t = glossary; *word && t->name; t++)
        if (begins_with(t->name, word))
            return t;
    return NULL;
}

static bool contains(const char *text, const char *word)
{
    while (*text && !begins_with(text, word))
        text++;
    return *text;
}

bool glossary_mentions(const cli_term *term, const char *word)
{
    return *word && (contains(term->name, word) || contains(term->meaning, word));
}
