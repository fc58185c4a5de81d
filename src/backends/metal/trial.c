/* SPDX-License-Identifier: MIT */
#include "backends/metal/trial.h"

#include "backends/metal/samples.h"
#include "support/host_clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WAIT_NS    INT64_C(10000000000) /* time limit of one pass of one thread */
#define APART_NS   INT64_C(25000000)    /* time between two passes that measure a tick */
#define TRIES      3                    /* attempts, since one may be interrupted */
#define AGREEMENT  0.02
#define SHARP      1.5 /* largest ratio of the ends of a known tick length */
#define COPY_BYTES 4   /* bytes of Metal's smallest copy */

/* Measurements of one pass. */
typedef struct pass_times {
    kt_clock_pair pair;
    uint64_t start, end; /* values of the two samples, in GPU ticks */
    uint64_t start_ns, end_ns;
    bool has_times;
    bool is_committed;
} pass_times;

/* ---- capabilities ---- */

static objc_id find_counter_set(const metal_api *api, objc_id device)
{
    if (!METAL_KNOWS(api, device, counter_sets) || !METAL_KNOWS(api, device, new_sample_buffer))
        return NULL;
    objc_id sets = metal_counter_sets(api, device);
    for (size_t i = 0; i < metal_count(api, sets); i++) {
        objc_id set = metal_object_at(api, sets, i);
        const char *name = metal_utf8(api, metal_name(api, set));
        if (name && strcmp(name, "timestamp") == 0) /* MTLCommonCounterSetTimestamp */
            return set;
    }
    return NULL;
}

static bool samples_at(const metal_api *api, objc_id device, metal_point point)
{
    return metal_supports_sampling(api, device, point) != 0;
}

static void look_at(const metal_api *api, objc_id device, metal_sampling *out)
{
    /* Before macOS 11 supportsCounterSampling: aborts the process. */
    bool is_asked = METAL_KNOWS(api, device, supports_sampling);
    objc_id set = is_asked ? find_counter_set(api, device) : NULL;
    if (!set || !api->samples_class) {
        snprintf(out->reason, sizeof out->reason, "%s",
                 is_asked ? "it has no counter set of timestamps"
                          : "it does not take supportsCounterSampling:, which is of macOS 11");
        return;
    }
    out->at_stage =
        samples_at(api, device, METAL_AT_STAGE) && api->compute_pass_class && api->blit_pass_class;
    out->at_draw = samples_at(api, device, METAL_AT_DRAW);
    out->at_dispatch = samples_at(api, device, METAL_AT_DISPATCH);
    out->at_blit = samples_at(api, device, METAL_AT_BLIT);
    if (out->at_stage || out->at_dispatch) {
        out->strategy = out->at_stage ? METAL_BY_STAGE : METAL_BY_BOUNDARY;
        out->counter_set = metal_retain(api, set);
    } else {
        snprintf(out->reason, sizeof out->reason,
                 "it samples neither at the stages of a pass nor between dispatches");
    }
}

metal_strategy kt_metal_ask_strategy(const metal_api *api, objc_id device)
{
    metal_sampling sampling = {0};
    look_at(api, device, &sampling);
    kt_metal_sampling_fini(api, &sampling);
    return sampling.strategy;
}

/* ---- passes ---- */

/* Runs one pass of the empty kernel, or of a copy within a buffer. */
static kt_status run_pass(const metal_work *work, const metal_timestamps *timestamps,
                          objc_id copied, pass_times *out)
{
    const metal_api *api = work->api;
    metal_single single;
    kt_status status = kt_metal_single_begin(work, copied != NULL, timestamps, &single);
    if (status == KT_OK) {
        if (copied)
            metal_copy_buffer(api, single.encoder, copied, 0, copied, COPY_BYTES, COPY_BYTES);
        else
            kt_metal_encode_empty(work, single.encoder);
        out->is_committed = true;
        status = kt_metal_single_run(work, timestamps, &single, WAIT_NS);
    }
    if (status == KT_OK)
        out->has_times =
            kt_metal_commands_times(api, single.commands, &out->start_ns, &out->end_ns);
    kt_metal_single_fini(work, &single, status);
    return status;
}

static kt_status fail_timestamped(void)
{
    char text[160];
    snprintf(text, sizeof text, "%s", kt_error_text());
    return kt_fail(KT_DRIVER_ERROR, "a pass with samples failed: %s", text);
}

/* Runs one pass with two samples. */
static kt_status run_timestamped(const metal_work *work, const metal_sampling *sampling,
                                 metal_samples *samples, objc_id copied, pass_times *out)
{
    uint64_t values[2] = {0};
    metal_range range;
    kt_status status = kt_metal_samples_take(samples, 2, &range);
    if (status != KT_OK)
        return status;
    const metal_timestamps timestamps = {
        .strategy = sampling->strategy, .buffer = range.buffer, .first = range.first};
    status = run_pass(work, &timestamps, copied, out);
    if (status == KT_DRIVER_ERROR)
        status = fail_timestamped();
    if (status == KT_OK && kt_metal_samples_resolve(samples, &range, values) != KT_OK)
        values[0] = values[1] = METAL_SAMPLE_ERROR; /* the samples could not be read */
    if (status != KT_TIMEOUT)
        kt_metal_samples_give_back(samples, &range);
    out->start = values[0];
    out->end = values[1];
    return status;
}

/* ---- verdicts ---- */

static void refuse(metal_sampling *out, const char *reason)
{
    out->strategy = METAL_BY_COMMANDS;
    snprintf(out->reason, sizeof out->reason, "%s", reason);
}

static void refuse_length(metal_sampling *out, double pairs_ns, double commands_ns)
{
    out->strategy = METAL_BY_COMMANDS;
    snprintf(
        out->reason, sizeof out->reason,
        "a tick of its counter sample buffers is %.6g ns by sampleTimestamps:gpuTimestamp: and "
        "%.6g ns by the times of its command buffers",
        pairs_ns, commands_ns);
}

static const char *untrusted(const pass_times *pass)
{
    if (pass->start == METAL_SAMPLE_ERROR || pass->end == METAL_SAMPLE_ERROR)
        return "its counter sample buffers gave the error value";
    if (pass->start == 0 || pass->end == 0)
        return "its counter sample buffers gave zeros";
    return pass->end <= pass->start
               ? "its counter sample buffers gave an end no later than its start"
               : NULL;
}

/* Whether a failed pass is a result of the trial. It is, since the same pass worked without
 * timestamps, unless no pass can run after the failure. */
static bool is_answer(kt_status status)
{
    return status != KT_OK && status != KT_TIMEOUT && status != KT_DEVICE_LOST &&
           status != KT_NO_MEMORY;
}

/* Runs a timestamped pass up to TRIES times, since some systems drop a sample now and then, and one
 * failed pass decides nothing. */
static kt_status run_again(const metal_work *work, const metal_sampling *sampling,
                           metal_samples *samples, objc_id copied, pass_times *out)
{
    kt_status status = KT_OK;
    for (int i = 0; i < TRIES; i++) {
        out->is_committed = false;
        status = run_timestamped(work, sampling, samples, copied, out);
        if (status == KT_OK ? !untrusted(out) : !is_answer(status) || !out->is_committed)
            break;
    }
    return status;
}

static double middle(double a, double b)
{
    return a + (b - a) / 2;
}

/* The length of a GPU tick in ns, as two calibrated timestamps leave it open: a call may block while
 * the GPU is busy, and its reading lies anywhere within. NaN: unknown. */
typedef struct tick {
    double least_ns, most_ns;
} tick;

static tick by_pairs(const pass_times *a, const pass_times *b)
{
    if (b->pair.ticks <= a->pair.ticks)
        return (tick){NAN, NAN};
    double ticks = (double)(b->pair.ticks - a->pair.ticks);
    return (tick){(double)(b->pair.host_before_ns - a->pair.host_after_ns) / ticks,
                  (double)(b->pair.host_after_ns - a->pair.host_before_ns) / ticks};
}

/* The same by the times of two command buffers. */

static double by_commands(const pass_times *a, const pass_times *b)
{
    double ticks =
        middle((double)(int64_t)(b->start - a->start), (double)(int64_t)(b->end - a->end));
    double ns = middle((double)(int64_t)(b->start_ns - a->start_ns),
                       (double)(int64_t)(b->end_ns - a->end_ns));
    return a->has_times && b->has_times && ticks > 0 ? ns / ticks : NAN;
}

static kt_status observe(const metal_work *work, const metal_sampling *sampling,
                         metal_samples *samples, metal_pairs *pairs, pass_times *out)
{
    kt_status status = run_again(work, sampling, samples, NULL, out);
    return status == KT_OK ? kt_metal_pairs_take(pairs, &out->pair) : status;
}

static bool agree(tick pairs, double commands_ns)
{
    return commands_ns >= pairs.least_ns * (1 - AGREEMENT) &&
           commands_ns <= pairs.most_ns * (1 + AGREEMENT);
}

/* Blocked calls leave so much open that ticks wrong by a factor agree, too. */
static bool is_sharp(tick pairs)
{
    return pairs.most_ns <= SHARP * pairs.least_ns;
}

/* Runs two passes and compares both tick lengths. Retries a mismatch or a blocked call, since an
 * interruption does not repeat. */
static kt_status watch(const metal_work *work, const metal_sampling *sampling,
                       metal_samples *samples, metal_pairs *pairs, pass_times *first,
                       pass_times *second)
{
    kt_status status = observe(work, sampling, samples, pairs, first);
    for (int64_t i = 1; i <= TRIES && status == KT_OK && !untrusted(first); i++) {
        pairs->host.sleep(pairs->host.user, i * APART_NS);
        status = observe(work, sampling, samples, pairs, second);
        double commands_ns = by_commands(first, second);
        tick pairs_ns = by_pairs(first, second);
        if (isnan(commands_ns) || (agree(pairs_ns, commands_ns) && is_sharp(pairs_ns)))
            break;
    }
    return status;
}

static void judge(const pass_times *first, const pass_times *second, metal_sampling *out)
{
    tick pairs_ns = by_pairs(first, second);
    double commands_ns = by_commands(first, second);
    if (untrusted(first))
        refuse(out, untrusted(first));
    else if (untrusted(second))
        refuse(out, untrusted(second));
    else if (isnan(pairs_ns.most_ns))
        refuse(out, "sampleTimestamps:gpuTimestamp: gives a clock that stands still");
    else if (!isnan(commands_ns) && !agree(pairs_ns, commands_ns))
        refuse_length(out, middle(pairs_ns.least_ns, pairs_ns.most_ns), commands_ns);
}

/* Host clock of the trial: the one behind command-buffer times, since the context's host clock may
 * be any. Sleeping uses the context's. */
typedef struct uptime {
    const objc_runtime *objc;
    const kt_host_clock *sleeper;
} uptime;

static int64_t uptime_now(void *user)
{
    return kt_metal_uptime_ns(((const uptime *)user)->objc);
}

static void uptime_sleep(void *user, int64_t duration_ns)
{
    const kt_host_clock *sleeper = ((const uptime *)user)->sleeper;
    sleeper->sleep(sleeper->user, duration_ns);
}

static kt_status compare_clocks(const metal_work *work, metal_samples *samples,
                                const kt_host_clock *host, metal_sampling *out)
{
    uptime user = {&work->api->objc, host->sleep ? host : &kt_system_clock};
    const kt_host_clock clock = {.now = uptime_now, .sleep = uptime_sleep, .user = &user};
    pass_times first = {0}, second = {0};
    metal_pairs pairs = {0};
    kt_status status = kt_metal_pairs_init(&pairs, work->api, work->device, &clock);
    if (status == KT_OK)
        status = watch(work, out, samples, &pairs, &first, &second);
    out->has_times |= first.has_times || second.has_times;
    if (status == KT_OK)
        judge(&first, &second, out);
    kt_metal_pairs_fini(&pairs);
    return status;
}

static kt_status unless_refused(kt_status status, metal_sampling *out)
{
    if (!is_answer(status))
        return status;
    refuse(out, kt_error_text());
    return KT_OK;
}

static void refuse_copies(metal_sampling *out, const char *reason)
{
    out->of_copies = out->at_blit = false;
    snprintf(out->reason, sizeof out->reason, "of copies %s", reason);
}

static kt_status timestamp_copy(const metal_work *work, metal_samples *samples, metal_sampling *out)
{
    const metal_api *api = work->api;
    pass_times pass = {0};
    objc_id copied =
        metal_new_buffer(api, work->device, 2 * (size_t)COPY_BYTES, METAL_STORAGE_PRIVATE);
    if (!copied)
        return kt_metal_fail_nil("newBufferWithLength:options:");
    kt_status status = run_again(work, out, samples, copied, &pass);
    if (status == KT_OK && untrusted(&pass))
        refuse_copies(out, untrusted(&pass));
    if (status != KT_TIMEOUT)
        metal_release(api, copied);
    return status;
}

/* Tests copies, which are another kind of pass, after kernels have passed the trial. */
static kt_status try_copies(const metal_work *work, metal_samples *samples, metal_sampling *out)
{
    if (out->strategy == METAL_BY_COMMANDS)
        return KT_OK;
    out->of_copies = out->strategy == METAL_BY_STAGE || out->at_blit;
    if (!out->of_copies) {
        refuse_copies(out, "it takes no samples");
        return KT_OK;
    }
    kt_status status = timestamp_copy(work, samples, out);
    if (!is_answer(status))
        return status;
    refuse_copies(out, kt_error_text());
    return KT_OK;
}

static kt_status try_samples(const metal_work *work, const kt_host_clock *host, metal_sampling *out)
{
    const metal_api *api = work->api;
    const metal_timestamps none = {.strategy = METAL_BY_COMMANDS};
    metal_samples samples = {0};
    pass_times plain = {0};
    look_at(api, work->device, out);
    kt_status status = run_pass(work, &none, NULL, &plain);
    if (status == KT_OK && !plain.has_times)
        status = run_pass(work, &none, NULL, &plain); /* a second try, as in run_again() */
    out->has_times = plain.has_times;
    if (status != KT_OK || out->strategy == METAL_BY_COMMANDS)
        return status;
    status = kt_metal_samples_init(&samples, api, work->device, out->counter_set);
    if (status == KT_OK)
        status = unless_refused(compare_clocks(work, &samples, host, out), out);
    if (status == KT_OK)
        status = try_copies(work, &samples, out);
    if (status != KT_TIMEOUT)
        kt_metal_samples_fini(&samples);
    return status;
}

kt_status kt_metal_try_samples(const metal_work *work, const metal_pairs *pairs,
                               metal_sampling *out)
{
    void *pool = metal_pool_push(work->api);
    kt_status status = try_samples(work, &pairs->host, out);
    metal_pool_pop(work->api, pool);
    return status;
}

void kt_metal_sampling_fini(const metal_api *api, metal_sampling *sampling)
{
    if (sampling->counter_set)
        metal_release(api, sampling->counter_set);
    sampling->counter_set = NULL;
}
