/* SPDX-License-Identifier: MIT */
/*
 * The cost of reading the state of a CPU from a tree of files like that below /sys: a brief reading
 * and a whole one, beside opening, reading and closing the files that hold the same values by hand.
 *
 * Each round takes all ways in turn; of the rounds the median counts. Then a measurement on that
 * CPU, and the share of its time that readings took.
 */
#define _GNU_SOURCE /* mkdtemp */
#include "state/state.h"

#include "bench/bench.h"
#include "workloads/workload.h"

#include <fcntl.h>
#include <ftw.h>
#include <kerntime/kerntime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROUNDS 128
#define SLICE  50 /* readings in a round */

/* Of the measurement: fill, which takes some 100 us. */
#define SIZE    1048576
#define SAMPLES 2000

#define CPU  "devices/system/cpu/"
#define RAPL "class/powercap/intel-rapl:0/"

/* One package. The values of a brief reading come first. */
static const struct {
    const char *path, *value;
} files[] = {
    {CPU "cpufreq/policy0/scaling_cur_freq", "3100000"},
    {CPU "cpufreq/policy1/scaling_cur_freq", "3000000"},
    {CPU "cpufreq/policy2/scaling_cur_freq", "2900000"},
    {CPU "cpufreq/policy3/scaling_cur_freq", "2800000"},
    {CPU "cpu0/thermal_throttle/package_throttle_count", "7"},
    {CPU "cpu0/thermal_throttle/package_throttle_total_time_ms", "90"},
    {CPU "cpu0/thermal_throttle/core_throttle_count", "3"},
    {CPU "cpu0/thermal_throttle/core_throttle_total_time_ms", "40"},
    {"class/hwmon/hwmon0/temp1_input", "51000"},
    {RAPL "energy_uj", "5000000"},
    {CPU "cpufreq/policy0/cpuinfo_max_freq", "3500000"},
    {CPU "cpufreq/policy1/cpuinfo_max_freq", "3500000"},
    {CPU "cpufreq/policy2/cpuinfo_max_freq", "3500000"},
    {CPU "cpufreq/policy3/cpuinfo_max_freq", "3500000"},
    {CPU "cpufreq/policy0/scaling_min_freq", "800000"},
    {CPU "cpufreq/policy1/scaling_min_freq", "800000"},
    {CPU "cpufreq/policy2/scaling_min_freq", "800000"},
    {CPU "cpufreq/policy3/scaling_min_freq", "800000"},
    {CPU "cpufreq/policy0/scaling_max_freq", "3500000"},
    {CPU "cpufreq/policy1/scaling_max_freq", "3500000"},
    {CPU "cpufreq/policy2/scaling_max_freq", "3500000"},
    {CPU "cpufreq/policy3/scaling_max_freq", "3500000"},
    {CPU "cpufreq/policy0/scaling_governor", "powersave"},
    {CPU "cpufreq/policy1/scaling_governor", "powersave"},
    {CPU "cpufreq/policy2/scaling_governor", "powersave"},
    {CPU "cpufreq/policy3/scaling_governor", "powersave"},
    {RAPL "constraint_0_power_limit_uw", "125000000"},
    {RAPL "constraint_0_max_power_uw", "150000000"},
    {RAPL "max_energy_range_uj", "262143328850"},
    {RAPL "name", "package-0"},
    {"class/hwmon/hwmon0/name", "coretemp"},
    {CPU "cpu0/topology/physical_package_id", "0"},
};
#define FILES       (sizeof files / sizeof files[0])
#define BRIEF_FILES 10
#define WHOLE_FILES 28 /* the rest is read when the reader is opened */

static char root[] = "/tmp/kerntime-state-XXXXXX";
static void *source; /* of kt_state_cpu */

static bool put(const char *path, const char *value)
{
    char name[256];
    snprintf(name, sizeof name, "%s/%s", root, path);
    for (char *slash = name + strlen(root); (slash = strchr(slash + 1, '/')) != NULL;
         *slash = '/') {
        *slash = '\0';
        mkdir(name, 0700);
    }
    FILE *file = fopen(name, "w");
    bool works = file && fprintf(file, "%s\n", value) > 0;
    return file && fclose(file) == 0 && works;
}

/* Sum of what the first files hold, so that nothing is left out. */
static double by_hand(size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        char name[256], text[64];
        snprintf(name, sizeof name, "%s/%s", root, files[i].path);
        int file = open(name, O_RDONLY | O_CLOEXEC);
        ssize_t bytes = file < 0 ? 0 : read(file, text, sizeof text - 1);
        text[bytes > 0 ? bytes : 0] = '\0';
        if (file >= 0)
            close(file);
        sum += strtod(text, NULL);
    }
    return sum;
}

enum { BRIEF, BRIEF_BY_HAND, WHOLE, WHOLE_BY_HAND, WAYS };

static bool take(int way)
{
    static uint64_t seen;
    kt_device_state now;
    if (way == BRIEF_BY_HAND || way == WHOLE_BY_HAND)
        return by_hand(way == BRIEF_BY_HAND ? BRIEF_FILES : WHOLE_FILES) > 0;
    kt_state_clear(&now);
    kt_state_cpu.read(source, way == BRIEF, &seen, &now);
    return now.reading[KT_STATE_ENERGY] == KT_READING_OK;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)status, (void)type, (void)at;
    return remove(path);
}

static bool measure(void)
{
    static double took_us[WAYS][ROUNDS];
    bool works = true;
    for (int round = -1; round < ROUNDS; round++) /* one to warm up */
        for (int way = 0; way < WAYS; way++) {
            int64_t begin_ns = kt_host_now_ns();
            for (int i = 0; i < SLICE; i++)
                works &= take(way);
            double all_us = (double)(kt_host_now_ns() - begin_ns) * 1e-3;
            took_us[way][round < 0 ? 0 : round] = all_us / SLICE;
        }
    double brief = bench_median(took_us[BRIEF], ROUNDS);
    double brief_by_hand = bench_median(took_us[BRIEF_BY_HAND], ROUNDS);
    double whole = bench_median(took_us[WHOLE], ROUNDS);
    double whole_by_hand = bench_median(took_us[WHOLE_BY_HAND], ROUNDS);
    bench_report("state/brief/kerntime", brief, "us");
    bench_report("state/brief/by-hand", brief_by_hand, "us");
    bench_report("state/brief/ratio", brief / brief_by_hand, "kerntime/by-hand");
    bench_report("state/whole/kerntime", whole, "us");
    bench_report("state/whole/by-hand", whole_by_hand, "us");
    bench_report("state/whole/ratio", whole / whole_by_hand, "kerntime/by-hand");
    return works;
}

/* Samples take about 1 s. */
static bool measure_share(void)
{
    kt_job_desc desc = {.size = sizeof desc, .name = "fill"};
    const workload *fill = workload_find("fill");
    const kt_measure_options options = {
        .size = sizeof options, .samples_min = SAMPLES, .samples_max = SAMPLES, .trials = 1};
    workload_run run = {0};
    void *problem = NULL;
    kt_context *context = NULL;
    kt_device *device = NULL;
    kt_result *result = NULL;
    kt_status status = kt_context_create(&context, NULL);
    if (status == KT_OK)
        status = kt_device_open(context, "cpu:0", &device);
    if (status == KT_OK)
        status = fill->problem_create(SIZE, &problem);
    if (status == KT_OK)
        status = workload_open(&run, fill, problem, device, SIZE, &desc);
    int64_t begin_ns = kt_host_now_ns();
    if (status == KT_OK)
        status = kt_measure(run.job, &options, &result);
    if (status == KT_OK)
        bench_report("state/share",
                     1e11 * kt_result_series(result, 0)->state.read_s /
                         (double)(kt_host_now_ns() - begin_ns),
                     "% of the time");
    kt_result_destroy(&result);
    workload_close(&run);
    fill->problem_destroy(problem);
    kt_device_close(&device);
    kt_context_destroy(&context);
    return status == KT_OK;
}

int bench_state(void)
{
    const kt_device_info info = {.type = KT_DEVICE_CPU};
    bool works = mkdtemp(root) != NULL;
    source = calloc(1, kt_state_cpu.size);
    for (size_t i = 0; works && i < FILES; i++)
        works = put(files[i].path, files[i].value);
    works = works && source && kt_state_cpu.open(source, &info, root) && measure() &&
            setenv("KERNTIME_SYSFS", root, 1) == 0 && measure_share();
    unsetenv("KERNTIME_SYSFS");
    if (!works)
        fprintf(stderr, "kerntime-bench: state: the files in %s cannot be read\n", root);
    free(source);
    nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return !works;
}
