#include "script.h"

#include "stub.h"
#include "tests/drivers/frame/script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AS_SAMPLING UINT64_MAX
#define LONGEST_NS  (UINT64_C(1) << 50)
#define BYTES_MAX   (UINT64_C(1) << 44)
#define NUMBER_MAX  UINT32_MAX

struct script script = {
    .blits = 1,
    .devices = 1,
    .max_buffer = UINT64_C(1) << 30,
    .max_threads = 1024,
    .empty_threads = 1024,
    .device_threads = AS_SAMPLING,
    .max_samples = 4096,
    .max_sample_buffers = 32,
    .timebase = AS_SAMPLING,
    .start = AS_SAMPLING,
    .bits = 64,
    .pair_ns = 2000,
    .pairs_percent = 100,
    .every = 1,
    .first = UINT64_MAX,
    .kernel_ns = 10000,
    .empty_ns = 1000,
    .copy_ns = AS_SAMPLING,
    .error_code = 2,
};

static void read_drift(char *text)
{
    char *end = NULL;
    script.drift_ppm = strtod(text, &end);
    if (end == text || *end != '\0' || !(fabs(script.drift_ppm) <= 1e4))
        script_refuse("not a number of that range", text);
}

static void read_name(char *text)
{
    script.name = strdup(text);
    if (!script.name)
        abort();
}

/* Each time the key stands there; a class, or a selector in all classes. */
static void read_missing(char *text)
{
    size_t at = 0;
    while (at < MISSING_MAX && script.missing[at])
        at++;
    if (!class_is_known(text))
        report_read_entry(text);
    if (at == MISSING_MAX || !(script.missing[at] = strdup(text)))
        script_refuse("list too long", text);
}

static const struct script_key keys[] = {
    {"sampling", &script.sampling, "apple amd intel none", 0, 0, NULL},
    {"blits", &script.blits, NULL, 0, 1, NULL},
    {"devices", &script.devices, NULL, 0, DEVICES_MAX, NULL},
    {"name", NULL, NULL, 0, 0, read_name},
    {"unlisted", &script.unlisted, NULL, 0, 1, NULL},
    {"low_power", &script.low_power, NULL, 0, 1, NULL},
    {"proxy", &script.proxy, NULL, 0, 1, NULL},
    {"max_buffer", &script.max_buffer, NULL, 1, BYTES_MAX, NULL},
    {"max_threads", &script.max_threads, NULL, 1, 1024, NULL},
    {"empty_threads", &script.empty_threads, NULL, 1, 1024, NULL},
    {"device_threads", &script.device_threads, NULL, 1, 1024, NULL},
    {"max_samples", &script.max_samples, NULL, 1, NUMBER_MAX, NULL},
    {"max_sample_buffers", &script.max_sample_buffers, NULL, 0, NUMBER_MAX, NULL},
    {"clock", &script.clock, "simulated host", 0, 0, NULL},
    {"poll_ns", &script.poll_ns, NULL, 0, LONGEST_NS, NULL},
    {"late", &script.late, NULL, 0, NUMBER_MAX, NULL},
    {"timebase", &script.timebase, "125/3 1/1", 0, 0, NULL},
    {"start", &script.start, NULL, 0, UINT64_MAX - 1, NULL},
    {"bits", &script.bits, NULL, 8, 64, NULL},
    {"drift_ppm", NULL, NULL, 0, 0, read_drift},
    {"pair_ns", &script.pair_ns, NULL, 0, LONGEST_NS, NULL},
    {"host_side", &script.host_side, "ns ticks", 0, 0, NULL},
    {"read_at", &script.read_at, "anywhere begin middle end apart", 0, 0, NULL},
    {"block_ns", &script.block_ns, NULL, 0, LONGEST_NS, NULL},
    {"block_every", &script.block_every, NULL, 0, NUMBER_MAX, NULL},
    {"pairs_percent", &script.pairs_percent, NULL, 1, 1000, NULL},
    {"timestamps", &script.timestamps, "good zero error backwards equal", 0, 0, NULL},
    {"timestamps_of", &script.timestamps_of, "all kernels copies", 0, 0, NULL},
    {"every", &script.every, NULL, 1, NUMBER_MAX, NULL},
    {"first", &script.first, NULL, 0, UINT64_MAX, NULL},
    {"after", &script.after, NULL, 0, UINT64_MAX, NULL},
    {"kernel_ns", &script.kernel_ns, NULL, 0, LONGEST_NS, NULL},
    {"empty_ns", &script.empty_ns, NULL, 0, LONGEST_NS, NULL},
    {"copy_ns", &script.copy_ns, NULL, 0, LONGEST_NS, NULL},
    {"build", &script.build, "good fail", 0, 0, NULL},
    {"precise", &script.precise, NULL, 0, 1, NULL},
    {"hang", &script.hang, NULL, 0, UINT64_MAX, NULL},
    {"error", &script.error, NULL, 0, UINT64_MAX, NULL},
    {"error_code", &script.error_code, NULL, 0, NUMBER_MAX, NULL},
    {"error_domain", &script.error_domain, "metal other", 0, 0, NULL},
    {"wrong", &script.wrong, NULL, 0, UINT64_MAX, NULL},
    {"missing", NULL, NULL, 0, 0, read_missing},
    {"fail", NULL, NULL, 0, 0, report_read_fail},
    {"strict", &report_strict, NULL, 0, 1, NULL},
};

/* What the script leaves open is as GPUs of that maker have it. */
static void fill_in(void)
{
    bool apple = script.sampling == SAMPLING_APPLE || script.sampling == SAMPLING_NONE;
    if (script.timebase == AS_SAMPLING)
        script.timebase = apple ? TIMEBASE_125_3 : TIMEBASE_1_1;
    script.ns_per_tick = script.sampling == SAMPLING_INTEL ? 83.333 : 1;
    if (script.start == AS_SAMPLING)
        script.start = apple ? START_AS_HOST : UINT64_C(5000000011);
    if (script.device_threads == AS_SAMPLING)
        script.device_threads = script.sampling == SAMPLING_INTEL ? 256 : 1024;
    if (script.copy_ns == AS_SAMPLING)
        script.copy_ns = script.kernel_ns;
}

void script_read(void)
{
    script_keys_read("metal_stub", "KT_STUB_METAL", keys, sizeof keys / sizeof keys[0]);
    fill_in();
    clock_begin();
}
