/* SPDX-License-Identifier: MIT */
/*
 * fake.c - a program with a tracer in it, without any API: it records what its arguments say, with
 * times that are always the same. For tests of the launcher and of the formats.
 *
 *     fake device opencl:0 "Some GPU" 1  kernel gemm 100 2000  copy host-to-device 3 1000 4096
 *
 * Arguments, each with its own:
 *   api NAME                  opens the tracer of opencl, vulkan, level_zero, cuda or hip; first
 *   device ID NAME NS         later calls are of it; NS: resolution of its clock
 *   offset NS WITHIN          of its clock from the host's; "now": such that it begins now
 *   kernel NAME COUNT NS      COUNT calls of NS each, one after another; also render, fill, map
 *   sized NAME SIZE COUNT NS  the same, of kernels of a size
 *   copy NAME COUNT NS BYTES
 *   slower PERCENT            later calls take that much longer from one to the next, up to ten
 *   idle NS                   time of the device between two calls, from now on
 *   overlapped                later calls contain work of others
 *   threads N                 later calls are made by N threads at once, COUNT each
 *   queue N                   later calls are of this queue
 *   together N                later calls enqueue N commands each; COUNT is of commands
 *   untimed NAME REASON COUNT calls of a kernel without a time; REASON: number of a trace_reason
 *   flying COUNT              calls that never end
 *   gap TEXT CALLS, stop TEXT
 *   print TEXT                on standard output
 *   fork                      what follows is done by a child, and the parent waits for it
 *   touch FILE, await FILE    makes a file, waits until there is one
 *   await_recording           waits until it is not paused
 *   kill SIGNAL, exit CODE    ends itself; exit without handlers
 */
#define _POSIX_C_SOURCE 200809L
#include "tracers/common/names.h"
#include "tracers/common/tracer.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BATCH       500
#define THREADS_MAX 64

static trace_device *device;
static int64_t device_now_ns = 1000000000; /* moment of the device's clock */
static int64_t idle_ns;
static double slower;
static bool overlapped;
static long threads = 1;
static uint32_t queue;
static long together = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Calls that are made alike. */
typedef struct calls {
    trace_kind kind;
    const char *name, *size;
    long count;
    int64_t ns;
    uint64_t bytes;
} calls;

static void open_tracer(const char *name)
{
    static const char *const names[] = {TRACE_API_NAMES};
    static bool is_open;
    for (int i = 0; !is_open && i < TRACE_API_COUNT; i++)
        if (strcmp(name, names[i]) == 0) {
            tracer_open((trace_api)i);
            is_open = true;
        }
}

/* Moves the device's clock behind a span, and returns its begin. */
static int64_t take_time(int64_t ns)
{
    pthread_mutex_lock(&lock);
    int64_t begin_ns = device_now_ns;
    device_now_ns += ns + idle_ns;
    pthread_mutex_unlock(&lock);
    return begin_ns;
}

static void *make_calls(void *of)
{
    const calls *c = of;
    trace_span spans[BATCH];
    size_t kept = 0;
    trace_row *row = tracer_row(device, c->kind, c->name, c->size);
    trace_timing timing = {0};
    for (long i = 0; row && i < c->count; i++) {
        if (!tracer_is_on() || (c->kind == TRACE_KERNEL && !tracer_wants_kernel()))
            continue;
        int64_t ns = c->ns + (int64_t)((double)(i % 10) * slower * (double)c->ns);
        if (i % together == 0) {
            timing = tracer_begin();
            tracer_pause(&timing);
            tracer_resume(&timing);
        }
        tracer_enqueued(1);
        int64_t begin_ns = take_time(ns);
        spans[kept++] = (trace_span){.row = row,
                                     .begin_ns = begin_ns,
                                     .end_ns = begin_ns + ns,
                                     .bytes = c->bytes,
                                     .call_begin_ns = timing.call_begin_ns,
                                     .call_end_ns = timing.call_end_ns,
                                     .thread = tracer_thread(),
                                     .queue = queue,
                                     .overlapped = overlapped};
        if (i % together == 0)
            tracer_end(&timing);
        if (kept == BATCH) {
            tracer_record(device, spans, kept);
            kept = 0;
        }
    }
    if (kept)
        tracer_record(device, spans, kept);
    return NULL;
}

static void start_calls(calls c)
{
    pthread_t started[THREADS_MAX];
    if (threads == 1)
        make_calls(&c);
    for (long i = 0; threads > 1 && i < threads; i++)
        if (pthread_create(&started[i], NULL, make_calls, &c) != 0)
            exit(9);
    for (long i = 0; threads > 1 && i < threads; i++)
        pthread_join(started[i], NULL);
}

static void await(const char *path)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    while (access(path, F_OK) != 0)
        nanosleep(&moment, NULL);
}

static void await_recording(void)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    while (!tracer_is_on())
        nanosleep(&moment, NULL);
}

/* Returns whether this process is the child. */
static bool split(void)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child > 0)
        waitpid(child, &status, 0);
    return child == 0;
}

static void set_offset(const char *ns, const char *within)
{
    double offset_ns =
        strcmp(ns, "now") == 0 ? (double)(tracer_now_ns() - device_now_ns) : strtod(ns, NULL);
    tracer_set_offset(device, offset_ns, strtod(within, NULL));
}

/* Does what is at `words`, which has at least three more. Returns the number of words, or 0: this
 * process is done. */
static int act(char **words)
{
    static const struct {
        const char *name;
        trace_kind kind;
    } kinds[] = {{"kernel", TRACE_KERNEL},
                 {"render", TRACE_RENDER},
                 {"fill", TRACE_FILL},
                 {"map", TRACE_MAP}};
    const char *what = words[0];
#define IS(word) (strcmp(what, word) == 0)
    if (IS("api"))
        return open_tracer(words[1]), 2;
    open_tracer("opencl");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (IS(kinds[i].name))
            return start_calls((calls){kinds[i].kind, words[1], NULL, atol(words[2]),
                                       atoll(words[3]), TRACE_BYTES_UNKNOWN}),
                   4;
    if (IS("sized"))
        return start_calls((calls){TRACE_KERNEL, words[1], words[2], atol(words[3]),
                                   atoll(words[4]), TRACE_BYTES_UNKNOWN}),
               5;
    if (IS("copy"))
        return start_calls((calls){TRACE_COPY, words[1], NULL, atol(words[2]), atoll(words[3]),
                                   (uint64_t)atoll(words[4])}),
               5;
    if (IS("device"))
        return device = tracer_add_device(words[1], words[2], strtod(words[3], NULL)), 4;
    if (IS("offset"))
        return set_offset(words[1], words[2]), 3;
    if (IS("slower"))
        return slower = strtod(words[1], NULL) / 100, 2;
    if (IS("idle"))
        return idle_ns = atoll(words[1]), 2;
    if (IS("overlapped"))
        return overlapped = true, 1;
    if (IS("threads"))
        return threads = atol(words[1]) < THREADS_MAX ? atol(words[1]) : THREADS_MAX, 2;
    if (IS("queue"))
        return queue = (uint32_t)atol(words[1]), 2;
    if (IS("together"))
        return together = atol(words[1]) > 0 ? atol(words[1]) : 1, 2;
    if (IS("untimed")) {
        trace_row *row = tracer_row(device, TRACE_KERNEL, words[1], NULL);
        tracer_enqueued((uint64_t)atoll(words[3]));
        return tracer_untimed(row, (trace_reason)atoi(words[2]), (uint64_t)atoll(words[3])), 4;
    }
    if (IS("flying"))
        return tracer_enqueued((uint64_t)atoll(words[1])), 2;
    if (IS("gap"))
        return tracer_gap(words[1], (uint64_t)atoll(words[2])), 3;
    if (IS("stop"))
        return tracer_stop(words[1]), 2;
    if (IS("print"))
        return printf("%s\n", words[1]), fflush(stdout), 2;
    if (IS("fork"))
        return split() ? 1 : 0;
    if (IS("await_recording"))
        return await_recording(), 1;
    if (IS("touch"))
        return fclose(fopen(words[1], "w")), 2;
    if (IS("await"))
        return await(words[1]), 2;
    if (IS("kill"))
        return raise(atoi(words[1])), 2;
    if (IS("exit"))
        _exit(atoi(words[1]));
    fprintf(stderr, "fake: %s?\n", what);
    exit(9);
}

int main(int argc, char **argv)
{
    /* Each word has four behind it. */
    char **words = calloc((size_t)argc + 5, sizeof *words), nothing[] = "";
    if (!words)
        return 9;
    for (int i = 0; i < argc + 4; i++)
        words[i] = i + 1 < argc ? argv[i + 1] : nothing;
    for (int at = 0, count = 1; at < argc - 1 && count; at += count)
        count = act(words + at);
    free(words);
    return 0;
}
