/* SPDX-License-Identifier: MIT */
/* What a traced process leaves, however it ends: each test traces a child of its own and collects. */
#define _GNU_SOURCE /* mkdtemp, program_invocation_name */
#include "tests/unit/testing.h"

#include "tracers/common/collect.h"
#include "tracers/common/tracer.h"
#include "tracers/common/writer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <kerntime/kerntime.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[256];
static trace_settings settings;
static trace_totals totals;
static const char *program;

/* In a child: its line is its exit code, modulo 256 and never 0. */
#define CHECK(condition)                                            \
    do {                                                            \
        if (!(condition)) {                                         \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            _exit(99);                                              \
        }                                                           \
    } while (0)

static int begin(void **state)
{
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/kt-trace-XXXXXX", where ? where : "/tmp");
    if (!mkdtemp(folder))
        return -1;
    memset(&settings, 0, sizeof settings);
    settings.magic = TRACE_SETTINGS_MAGIC;
    snprintf(settings.version, sizeof settings.version, "%s", kt_version());
    return 0;
}

static int end(void **state)
{
    trace_free(&totals);
    char command[300];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static void write_settings(void)
{
    char path[300];
    snprintf(path, sizeof path, "%s/" TRACE_SETTINGS_FILE, folder);
    int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    assert_true(fd >= 0 && write(fd, &settings, sizeof settings) == sizeof settings);
    close(fd);
}

/* Runs `body` in a child that is traced. Returns its status as of waitpid(). */
static int run_child(void (*body)(void))
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setenv(TRACE_VARIABLE, folder, 1);
        body();
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void collect(void)
{
    char reason[200];
    if (trace_collect(folder, &totals, reason, sizeof reason) != 0)
        fail_msg("%s", reason);
}

static void trace(void (*body)(void))
{
    write_settings();
    int status = run_child(body);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("the child's status is %d", status);
    collect();
}

static const trace_total *row_of(const char *name)
{
    for (size_t i = 0; i < totals.row_count; i++)
        if (strcmp(totals.rows[i].name, name) == 0)
            return &totals.rows[i];
    return NULL;
}

static uint64_t calls_of(const char *name)
{
    return row_of(name) ? row_of(name)->calls : 0;
}

static bool has_gap(const char *part)
{
    for (size_t i = 0; i < totals.gap_count; i++)
        if (strstr(totals.gaps[i].text, part))
            return true;
    return false;
}

/* ---- what children do ---- */

static trace_device *device;
static trace_row *kernel;

static void open_tracer(void)
{
    CHECK(tracer_open(TRACE_OPENCL));
    device = tracer_add_device("opencl:0", "Test device", 1);
    kernel = tracer_row(device, TRACE_KERNEL, "kernel", NULL);
    CHECK(device && kernel);
}

static trace_span span_of(trace_row *row, int64_t begin_ns, int64_t duration_ns)
{
    return (trace_span){.row = row,
                        .begin_ns = begin_ns,
                        .end_ns = begin_ns + duration_ns,
                        .bytes = TRACE_BYTES_UNKNOWN};
}

/* From 100 to 199, without a pattern. */
static int64_t duration_of(int call)
{
    return 100 + call % 100 * 37 % 100;
}

/* As a tracer does: enqueue, then read what has ended. */
static void call(trace_row *row, int count)
{
    for (int i = 0; i < count; i++) {
        if (!tracer_is_on() || !tracer_wants_kernel())
            continue;
        trace_timing timing = tracer_begin();
        tracer_pause(&timing);
        tracer_resume(&timing);
        tracer_enqueued(1);
        tracer_end(&timing);
        trace_span span = span_of(row, 1000 * i, duration_of(i));
        span.call_begin_ns = timing.call_begin_ns;
        span.call_end_ns = timing.call_end_ns;
        tracer_record(device, &span, 1);
    }
}

static void make_calls(void)
{
    open_tracer();
    errno = 77;
    call(kernel, 100);
    trace_row *copy = tracer_row(device, TRACE_COPY, "host to device", NULL);
    trace_span spans[3] = {span_of(copy, 200000, 1000), span_of(copy, 201000, 1000),
                           span_of(kernel, 5000, -1)};
    spans[0].bytes = spans[1].bytes = 4000;
    spans[1].overlapped = true;
    tracer_enqueued(10);
    tracer_record(device, spans, 3);
    tracer_untimed(kernel, TRACE_NO_TIMESTAMPS, 5);
    tracer_gap("clSomething is not traced", 2);
    tracer_gap("clSomething is not traced", 1);
    tracer_gap("clOther is not traced", 0);
    CHECK(errno == 77);
}

static void totals_are_what_was_recorded(void **state)
{
    trace(make_calls);
    assert_int_equal(totals.row_count, 2);
    const trace_total *row = row_of("kernel"), *copy = row_of("host to device");
    assert_int_equal(row->kind, TRACE_KERNEL);
    assert_int_equal(row->calls, 106);
    assert_int_equal(row->timed, 100);
    assert_int_equal(row->untimed[TRACE_NO_TIMESTAMPS], 5);
    assert_int_equal(row->untimed[TRACE_UNTRUSTED], 1);
    EXPECT_NUMBER(row->total_ns, 100 * 100 + 99 * 100 / 2);
    EXPECT_NUMBER(row->min_ns, 100);
    EXPECT_NUMBER(row->max_ns, 199);
    EXPECT_NEAR(row->median_ns, 149, 149 / 65.0);
    EXPECT_NEAR(row->p95_ns, 194, 194 / 65.0);
    assert_true(row->low_ns >= 100 && row->low_ns <= 149);
    assert_true(row->high_ns >= 149 && row->high_ns <= 199);
    EXPECT_NUMBER(row->bytes, NAN);
    assert_null(row->size);
    assert_int_equal(copy->kind, TRACE_COPY);
    EXPECT_NUMBER(copy->bytes, 8000);
    EXPECT_NUMBER(copy->gb_per_s, 4);
    assert_int_equal(copy->overlapped, 1);
    assert_int_equal(totals.calls, 100);
    assert_int_equal(totals.in_flight, 2);
    assert_int_equal(totals.process_count, 1);
    assert_true(totals.hooked[TRACE_OPENCL] && !totals.hooked[TRACE_VULKAN]);
    assert_int_equal(totals.device_count, 1);
    assert_string_equal(totals.devices[0].name, "Test device");
    EXPECT_NUMBER(totals.devices[0].busy_ns, row->total_ns + 2000);
    EXPECT_NUMBER(totals.devices[0].span_ns, 202000);
    EXPECT_NUMBER(totals.devices[0].idle_ns, 202000 - 2000 - row->total_ns);
    EXPECT_NUMBER(totals.devices[0].overlap_ns, 0);
    assert_int_equal(totals.gap_count, 2);
    assert_true(has_gap("clOther"));
    assert_true(totals.cost_per_call_ns >= 0);
    EXPECT_NUMBER(totals.cost_ns, 100 * totals.cost_per_call_ns);
}

static void call_2_and_4_times(void)
{
    open_tracer();
    trace_row *four = tracer_row(device, TRACE_KERNEL, "four", NULL);
    trace_span spans[6] = {span_of(kernel, 0, 44960),     span_of(kernel, 100000, 16470000),
                           span_of(four, 20000000, 800),  span_of(four, 20001000, 100),
                           span_of(four, 20002000, 1000), span_of(four, 20004000, 3000)};
    tracer_record(device, spans, 6);
}

static void the_median_of_an_even_number_is_the_mean_of_the_middle_two(void **state)
{
    trace(call_2_and_4_times);
    EXPECT_NUMBER(row_of("kernel")->median_ns, (44960 + 16470000) / 2.0);
    EXPECT_NEAR(row_of("four")->median_ns, 900, 900 / 65.0);
}

static void be_killed(void)
{
    open_tracer();
    call(kernel, 30);
    tracer_enqueued(7);
    raise(SIGKILL);
}

static void a_killed_process_leaves_its_summary(void **state)
{
    write_settings();
    assert_true(WIFSIGNALED(run_child(be_killed)));
    collect();
    assert_int_equal(calls_of("kernel"), 30);
    assert_int_equal(totals.in_flight, 7);
    EXPECT_NUMBER(totals.devices[0].busy_ns, row_of("kernel")->total_ns);
}

/* ---- cost ---- */

/* Of small readings, all are timed at first, then every 17th, and then every 257th. */
enum { WORK_NS = 200000, SMALL_READINGS = 16 + 16 * 17 + 257 };

/* The longest work, in memory that the child shares. An interrupt or another guest of the machine may add
 * to the CPU time of a thread. */
static double *longest_ns;

static void work(void)
{
    struct timespec begin, now;
    double ns;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        ns = (double)(now.tv_sec - begin.tv_sec) * 1e9 + (double)(now.tv_nsec - begin.tv_nsec);
    } while (ns < WORK_NS);
    if (ns > *longest_ns)
        *longest_ns = ns;
}

static void wait_while_reading(void)
{
    open_tracer();
    call(kernel, 100);
    trace_reading reading = tracer_begin_reading(1000);
    usleep(300000);
    tracer_end_reading(&reading);
}

/* As for a lock, or for another thread to leave the processor. */
static void waits_are_no_cost(void **state)
{
    trace(wait_while_reading);
    assert_true(totals.cost_ns < 100e6);
}

static void read_often(void)
{
    open_tracer();
    call(kernel, 100);
    for (int i = 0; i < SMALL_READINGS; i++) {
        trace_reading reading = tracer_begin_reading(1);
        work();
        tracer_pause_reading(&reading);
        work();
        tracer_resume_reading(&reading);
        tracer_end_reading(&reading);
    }
}

static void all_readings_are_counted(void **state)
{
    longest_ns =
        mmap(NULL, sizeof *longest_ns, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(longest_ns != MAP_FAILED);
    trace(read_often);
    assert_true(totals.cost_ns > 0.9 * WORK_NS * SMALL_READINGS);
    assert_true(totals.cost_ns < 1.7 * *longest_ns * SMALL_READINGS);
    munmap(longest_ns, sizeof *longest_ns);
}

/* ---- fork and exec ---- */

static void fork_and_call(void)
{
    open_tracer();
    trace_row *other = tracer_row(device, TRACE_KERNEL, "other", NULL);
    call(kernel, 10);
    tracer_enqueued(1);
    pid_t child = fork();
    if (child == 0) {
        call(kernel, 3);
        call(other, 2);
        CHECK(other == tracer_row(device, TRACE_KERNEL, "other", NULL));
        call(tracer_row(device, TRACE_KERNEL, "the child's", NULL), 4);
        if (fork() == 0)
            call(kernel, 5);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    call(kernel, 10);
}

static void children_of_fork_are_processes_of_their_own(void **state)
{
    write_settings();
    assert_int_equal(run_child(fork_and_call), 0);
    /* The grandchild may end after its parent. */
    for (int i = 0; i < 600; i++) {
        collect();
        if (calls_of("kernel") == 28 && totals.in_flight == 1)
            break;
        trace_free(&totals);
        usleep(100000);
    }
    assert_int_equal(calls_of("kernel"), 28);
    assert_int_equal(calls_of("other"), 2);
    assert_int_equal(calls_of("the child's"), 4);
    assert_int_equal(totals.process_count, 3);
    assert_int_equal(totals.in_flight, 1);
    assert_int_equal(totals.device_count, 1);
    assert_int_equal(totals.devices[0].process_count, 3);
}

#define FORKS    8
#define ROWS_MAX 1000

static atomic_bool has_forked;

static void *add_rows(void *unused)
{
    for (int i = 0; i < ROWS_MAX && !atomic_load(&has_forked); i++) {
        char name[32];
        snprintf(name, sizeof name, "row %d", i);
        CHECK(tracer_row(device, TRACE_KERNEL, name, NULL));
    }
    return unused;
}

static void fork_while_rows_are_added(void)
{
    pthread_t adder;
    open_tracer();
    CHECK(pthread_create(&adder, NULL, add_rows, NULL) == 0);
    for (int i = 0; i < FORKS; i++) {
        pid_t child = fork();
        if (child == 0) {
            call(kernel, 1);
            _exit(0);
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
    atomic_store(&has_forked, true);
    CHECK(pthread_join(adder, NULL) == 0);
}

/* A child copies the rows of its parent, which adds others meanwhile. */
static void children_have_whole_rows(void **state)
{
#ifdef __SANITIZE_THREAD__ /* to it, the child leaks the thread of its parent */
    skip();
#endif
    trace(fork_while_rows_are_added);
    assert_false(has_gap("damaged"));
    assert_int_equal(totals.process_count, 1 + FORKS);
    assert_int_equal(calls_of("kernel"), FORKS);
}

static void fork_as_the_root(void)
{
    char path[300];
    snprintf(path, sizeof path, "%s/" TRACE_SETTINGS_FILE, folder);
    settings.root = getpid();
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    CHECK(write(fd, &settings, sizeof settings) == sizeof settings);
    close(fd);
    open_tracer();
    call(kernel, 10);
    pid_t child = fork();
    if (child == 0) {
        CHECK(!tracer_is_on());
        call(kernel, 3);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void children_of_the_root_are_not_followed(void **state)
{
    trace(fork_as_the_root);
    assert_int_equal(calls_of("kernel"), 10);
    assert_int_equal(totals.process_count, 1);
}

static void exec_and_call(void)
{
    open_tracer();
    call(kernel, 4);
    execl(program, program, "exec", (char *)NULL);
    CHECK(false);
}

static int after_exec(void)
{
    open_tracer();
    call(kernel, 5);
    return 0;
}

static void the_image_after_exec_has_a_file_of_its_own(void **state)
{
    trace(exec_and_call);
    assert_int_equal(calls_of("kernel"), 9);
    assert_int_equal(totals.process_count, 2);
    assert_int_equal(totals.processes[0].number, totals.processes[1].number);
    assert_int_equal(totals.devices[0].process_count, 1);
}

/* ---- threads ---- */

#define THREADS      8
#define THREAD_CALLS 500

static void *call_on_thread(void *user)
{
    char name[32];
    snprintf(name, sizeof name, "kernel %d", (int)(intptr_t)user % 2);
    call(tracer_row(device, TRACE_KERNEL, name, NULL), THREAD_CALLS);
    return NULL;
}

static void *call_cancelled(void *unused)
{
    pthread_cancel(pthread_self());
    call(kernel, 1); /* the first one makes room in the file, with open() */
    pthread_testcancel();
    return unused;
}

static void cancel_while_recording(void)
{
    pthread_t cancelled;
    void *left = NULL;
    open_tracer();
    alarm(60); /* who waits for a lock that is never given back */
    CHECK(pthread_create(&cancelled, NULL, call_cancelled, NULL) == 0);
    CHECK(pthread_join(cancelled, &left) == 0 && left == PTHREAD_CANCELED);
    call(kernel, 1);
}

static void a_cancelled_thread_gives_the_lock_back(void **state)
{
    trace(cancel_while_recording);
    assert_int_equal(calls_of("kernel"), 2);
}

static void use_threads(void)
{
    pthread_t threads[THREADS];
    open_tracer();
    for (intptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, call_on_thread, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    /* More threads than there are counters. */
    for (intptr_t i = 0; i < TRACE_THREADS; i++) {
        CHECK(pthread_create(&threads[0], NULL, call_on_thread, (void *)i) == 0);
        CHECK(pthread_join(threads[0], NULL) == 0);
    }
}

static void threads_record_at_once(void **state)
{
    settings.memory_bytes = 4 << 20;
    trace(use_threads);
    const uint64_t expected = (THREADS + TRACE_THREADS) / 2 * THREAD_CALLS;
    assert_int_equal(calls_of("kernel 0"), expected);
    assert_int_equal(calls_of("kernel 1"), expected);
    assert_int_equal(totals.calls, 2 * expected);
    assert_int_equal(totals.processes[0].threads, TRACE_THREADS);
    assert_int_equal(totals.in_flight, 0);
}

#define SIGNALS 2000

static atomic_bool is_over;

static void call_in_handler(int number)
{
    (void)number;
    call(kernel, 1);
}

static void *send_signals(void *user)
{
    for (int i = 0; i < SIGNALS; i++) {
        pthread_kill(*(const pthread_t *)user, SIGUSR1);
        usleep(20);
    }
    atomic_store(&is_over, true);
    return NULL;
}

static void be_interrupted(void)
{
    open_tracer();
    CHECK(signal(SIGUSR1, call_in_handler) != SIG_ERR);
    pthread_t self = pthread_self(), sender;
    CHECK(pthread_create(&sender, NULL, send_signals, &self) == 0);
    while (!atomic_load(&is_over))
        call(kernel, 1);
    CHECK(pthread_join(sender, NULL) == 0);
}

/* The handler interrupts the tracer itself, sooner or later, and must not wait for it. */
static void signal_handlers_do_not_deadlock(void **state)
{
    trace(be_interrupted);
    assert_true(calls_of("kernel") > 0);
}

static void call_3_in_handler(int number)
{
    (void)number;
    trace_span spans[3] = {span_of(kernel, 0, 1), span_of(kernel, 1, 1), span_of(kernel, 2, 1)};
    tracer_record(device, spans, 3);
}

static void be_interrupted_in_the_tracer(void)
{
    open_tracer();
    CHECK(signal(SIGUSR1, call_3_in_handler) != SIG_ERR);
    CHECK(tracer_lock());
    CHECK(raise(SIGUSR1) == 0);
    tracer_unlock();
}

static void calls_that_a_handler_loses_are_counted(void **state)
{
    trace(be_interrupted_in_the_tracer);
    assert_int_equal(totals.gap_count, 1);
    assert_int_equal(totals.gaps[0].calls, 3);
    assert_int_equal(calls_of("kernel"), 0);
}

/* ---- settings ---- */

static void pause_and_go_on(void)
{
    open_tracer();
    call(kernel, 3);
    atomic_store(&tracer_state.settings->paused, 1);
    call(kernel, 10);
    atomic_store(&tracer_state.settings->paused, 0);
    call(kernel, 4);
}

static void nothing_is_recorded_while_paused(void **state)
{
    trace(pause_and_go_on);
    assert_int_equal(calls_of("kernel"), 7);
}

static void call_100(void)
{
    open_tracer();
    call(kernel, 100);
}

static void kernels_are_skipped_and_counted(void **state)
{
    settings.skip = 10;
    settings.count = 25;
    trace(call_100);
    assert_int_equal(calls_of("kernel"), 25);
    double total = 0;
    for (int i = 10; i < 35; i++)
        total += (double)duration_of(i);
    EXPECT_NUMBER(row_of("kernel")->total_ns, total);
}

static void kernels_are_skipped_and_all_others_recorded(void **state)
{
    settings.skip = 10;
    trace(call_100);
    assert_int_equal(calls_of("kernel"), 90);
}

static void ask_for_rows(void)
{
    CHECK(tracer_open(TRACE_VULKAN));
    device = tracer_add_device("vulkan:0", "Test device", NAN);
    CHECK(!tracer_row(device, TRACE_KERNEL, "other", NULL));
    CHECK(!tracer_row(device, TRACE_COPY, "other", NULL));
    trace_row *row = tracer_row(device, TRACE_KERNEL, "matmul", "64 / 8");
    CHECK(row && row != tracer_row(device, TRACE_KERNEL, "matmul", "32 / 8"));
    CHECK(row == tracer_row(device, TRACE_KERNEL, "matmul", "64 / 8"));
    CHECK(tracer_splits_by_size() && !tracer_is_exact() && !tracer_keeps_events());
    call(row, 1);
}

static void rows_are_wanted_and_split_by_size(void **state)
{
    memcpy(settings.wanted, "mat*", 5);
    settings.by_size = true;
    trace(ask_for_rows);
    assert_int_equal(totals.row_count, 1); /* others were not called */
    assert_string_equal(totals.rows[0].size, "64 / 8");
    EXPECT_NUMBER(totals.devices[0].resolution_ns, NAN);
}

static void ignore_sizes(void)
{
    open_tracer();
    CHECK(kernel == tracer_row(device, TRACE_KERNEL, "kernel", "64"));
}

static void rows_are_whole_unless_split(void **state)
{
    trace(ignore_sizes);
}

static void have_rank_3(void)
{
    setenv("OMPI_COMM_WORLD_RANK", "3", 1);
    setenv("MY_RANK", "5", 1);
    if (tracer_open(TRACE_OPENCL))
        tracer_stop("it is enough");
    CHECK(!tracer_is_on());
}

static void ranks_are_selected(void **state)
{
    memcpy(settings.ranks, "0-3", 4);
    trace(have_rank_3);
    assert_int_equal(totals.process_count, 1);
    assert_string_equal(totals.processes[0].rank, "3");
    assert_string_equal(totals.processes[0].stopped, "it is enough");
}

static void the_variable_of_the_rank_may_be_named(void **state)
{
    memcpy(settings.ranks, "0-3", 4);
    memcpy(settings.rank_variable, "MY_RANK", 8);
    trace(have_rank_3);
    assert_int_equal(totals.process_count, 0);
}

/* ---- time line ---- */

typedef struct event_sum {
    uint64_t count, others;
    trace_total_event other;
} event_sum;

static bool take_event(void *user, const trace_total_event *event)
{
    event_sum *sum = user;
    sum->count++;
    if (strcmp(totals.rows[event->row].name, "other") == 0) {
        sum->others++;
        sum->other = *event;
    } else if (event->call_end_ns < event->call_begin_ns || event->call_begin_ns <= 0) {
        return false;
    }
    return true;
}

static void call_twice(void)
{
    open_tracer();
    call(kernel, 2);
}

static void the_time_line_has_room_for_a_few_events_at_least(void **state)
{
    settings.memory_bytes = 4096;
    trace(call_twice);
    assert_int_equal(totals.lost_events, 0);
    event_sum sum = {0};
    trace_each_event(&totals, take_event, &sum);
    assert_int_equal(sum.count, 2);
}

static void make_events(void)
{
    open_tracer();
    CHECK(tracer_keeps_events());
    tracer_set_offset(device, 5e6, 10);
    trace_row *other = tracer_row(device, TRACE_KERNEL, "other", NULL);
    trace_span span = span_of(other, 0, 1000000);
    span.call_end_ns = 1;
    span.thread = 4;
    span.queue = 2;
    tracer_record(device, &span, 1);
    call(kernel, 3000);
}

static void the_time_line_is_bounded_and_the_summary_not(void **state)
{
    settings.memory_bytes = 2 * sizeof(trace_file_chunk) + 10;
    trace(make_events);
    event_sum sum = {0};
    trace_each_event(&totals, take_event, &sum);
    assert_int_equal(sum.count, 2 * TRACE_CHUNK_EVENTS);
    assert_int_equal(totals.lost_events, 3001 - 2 * TRACE_CHUNK_EVENTS);
    assert_int_equal(calls_of("kernel"), 3000);
    assert_int_equal(sum.others, 1);
    assert_int_equal(sum.other.begin_ns, 5000000);
    assert_int_equal(sum.other.end_ns, 6000000);
    assert_int_equal(sum.other.thread, 4);
    assert_int_equal(sum.other.queue, 2);
    EXPECT_NUMBER(sum.other.uncertainty_ns, 10);
}

/* ---- what may fail ---- */

static void limit_files(void)
{
    struct rlimit limit = {8 << 20, RLIM_INFINITY};
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    open_tracer();
    for (int i = 0; i < 1000; i++) {
        char name[32];
        snprintf(name, sizeof name, "kernel %d", i);
        trace_row *row = tracer_row(device, TRACE_KERNEL, name, NULL);
        CHECK(row);
        call(row, 2);
        tracer_untimed(row, TRACE_FAILED, 1);
    }
}

/* As with a full disk: the process goes on, and what has no room for a name is counted. */
static void a_full_file_does_not_end_the_process(void **state)
{
    settings.memory_bytes = 1 << 20;
    trace(limit_files);
    uint64_t unnamed = 0, named = 0;
    for (size_t i = 0; i < totals.gap_count; i++)
        if (strstr(totals.gaps[i].text, "names"))
            unnamed += totals.gaps[i].calls;
    for (size_t i = 0; i < totals.row_count; i++)
        named += totals.rows[i].calls;
    assert_true(unnamed > 0 && named > 0);
    assert_int_equal(unnamed + named, 3000);
    assert_int_equal(totals.in_flight, 0);
    assert_int_equal(totals.devices[0].spans, 2000);
}

/* Disk space of the files of all processes. */
static uint64_t taken_bytes(void)
{
    char path[600];
    uint64_t sum = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries));) {
        struct stat about;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strncmp(entry->d_name, TRACE_FILE_PREFIX, strlen(TRACE_FILE_PREFIX)) == 0 &&
            stat(path, &about) == 0)
            sum += (uint64_t)about.st_blocks * 512;
    }
    closedir(entries);
    return sum;
}

static void use_many_rows(void)
{
    open_tracer();
    for (int i = 0; i < 200; i++) {
        char name[32];
        snprintf(name, sizeof name, "kernel %d", i);
        trace_row *row = tracer_row(device, TRACE_KERNEL, name, NULL);
        CHECK(row);
        call(row, 1);
    }
}

/* The program needs the rest. */
static void no_more_space_is_taken_than_allowed(void **state)
{
    atomic_store(&settings.most_bytes, 1 << 20);
    trace(use_many_rows);
    assert_true(taken_bytes() <= 1 << 20);
    uint64_t named = 0;
    for (size_t i = 0; i < totals.row_count; i++)
        named += totals.rows[i].calls;
    assert_true(named > 0 && named < 200);
    assert_true(has_gap("names"));
    assert_int_equal(totals.devices[0].spans, 200);
}

static void call_and_exit(void)
{
    open_tracer();
    call(kernel, 10);
    exit(0);
}

static void a_process_that_ends_leaves_a_small_file(void **state)
{
    trace(call_and_exit);
    assert_int_equal(calls_of("kernel"), 10);
    assert_true(taken_bytes() < 512 << 10);
}

static void fork_with_a_time_line(void)
{
    open_tracer();
    call(kernel, 100 * TRACE_CHUNK_EVENTS);
    pid_t child = fork();
    if (child == 0) {
        call(kernel, 1);
        exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    exit(0);
}

/* What the parent recorded takes its space once. */
static void a_child_of_fork_leaves_a_small_file(void **state)
{
    settings.memory_bytes = 8 << 20;
    trace(fork_with_a_time_line);
    assert_int_equal(totals.process_count, 2);
    assert_int_equal(calls_of("kernel"), 100 * TRACE_CHUNK_EVENTS + 1);
    assert_true(taken_bytes() < 10 << 20);
}

#define QUEUE_SPANS 12000

/* All spans of one queue, then those of another one, which lie between them. */
static void record_queues_in_turn(void)
{
    open_tracer();
    for (int i = 0; i < 2 * QUEUE_SPANS; i++) {
        trace_span span = span_of(kernel, 1000 * (i % QUEUE_SPANS) + 500 * (i / QUEUE_SPANS), 400);
        tracer_record(device, &span, 1);
    }
}

static void spans_of_queues_wait_for_each_other(void **state)
{
    trace(record_queues_in_turn);
    assert_int_equal(totals.devices[0].late, 0);
    EXPECT_NUMBER(totals.devices[0].busy_ns, 400.0 * 2 * QUEUE_SPANS);
    EXPECT_NUMBER(totals.devices[0].overlap_ns, 0);
}

static void have_no_room_at_all(void)
{
    struct rlimit limit = {4096, RLIM_INFINITY};
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    CHECK(!tracer_open(TRACE_OPENCL));
}

static void a_process_without_a_file_leaves_a_sentence(void **state)
{
    trace(have_no_room_at_all);
    assert_int_equal(totals.process_count, 0);
    assert_int_equal(totals.gap_count, 1);
    assert_true(has_gap("not traced"));
    assert_true(has_gap("File too large"));
}

static void stay_off(void)
{
    errno = 77;
    CHECK(!tracer_open(TRACE_OPENCL) && !tracer_is_on() && !tracer_wants_kernel());
    CHECK(!tracer_add_device("opencl:0", "", 1));
    CHECK(!tracer_row(NULL, TRACE_KERNEL, "kernel", NULL));
    trace_timing timing = tracer_begin();
    tracer_pause(&timing);
    tracer_resume(&timing);
    tracer_end(&timing);
    tracer_enqueued(1);
    tracer_gap("gap", 1);
    tracer_record(NULL, NULL, 0);
    tracer_untimed(NULL, TRACE_FAILED, 1);
    trace_reading reading = tracer_begin_reading(1);
    tracer_pause_reading(&reading);
    tracer_resume_reading(&reading);
    tracer_end_reading(&reading);
    tracer_stop("stop");
    CHECK(errno == 77);
}

static void another_version_is_not_traced(void **state)
{
    settings.version[0] = 'x';
    trace(stay_off);
    assert_int_equal(totals.process_count, 0);
}

static void another_process_than_the_root_is_not_traced(void **state)
{
    settings.root = 1;
    trace(stay_off);
    assert_int_equal(totals.process_count, 0);
}

static void damaged_settings_are_not_used(void **state)
{
    settings.magic++;
    trace(stay_off);
    assert_int_equal(totals.process_count, 0);
}

static void a_folder_that_is_gone_is_not_used(void **state)
{
    assert_int_equal(run_child(stay_off), 0); /* without settings */
    char kept[sizeof folder], reason[200] = "";
    memcpy(kept, folder, sizeof kept);
    snprintf(folder, sizeof folder, "/no/such/folder");
    assert_int_equal(run_child(stay_off), 0);
    assert_int_equal(trace_collect(folder, &totals, reason, sizeof reason), -1);
    EXPECT_TEXT_HAS(reason, "/no/such/folder");
    memcpy(folder, kept, sizeof kept);
}

static void be_nobody(void)
{
    CHECK(setuid(65534) == 0);
    CHECK(!tracer_open(TRACE_OPENCL));
}

/* The settings can be written to, the folder cannot. */
static void a_folder_that_is_read_only_leaves_a_sentence(void **state)
{
    if (getuid() != 0)
        skip();
    write_settings();
    char path[300];
    snprintf(path, sizeof path, "%s/" TRACE_SETTINGS_FILE, folder);
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(chmod(folder, 0555), 0);
    assert_int_equal(run_child(be_nobody), 0);
    collect();
    assert_true(has_gap("Permission denied"));
}

static void fork_to_nobody(void)
{
    open_tracer();
    pid_t child = fork();
    if (child == 0) {
        CHECK(setuid(65534) == 0);
        CHECK(!tracer_is_on());
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void a_child_without_a_file_leaves_a_sentence(void **state)
{
    if (getuid() != 0)
        skip();
    trace(fork_to_nobody);
    assert_int_equal(totals.process_count, 1);
    assert_true(has_gap("Permission denied"));
}

static void files_that_are_none_are_told(void **state)
{
    write_settings();
    char path[300];
    snprintf(path, sizeof path, "%s/" TRACE_FILE_PREFIX "1-0", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("nothing", file);
    fclose(file);
    collect();
    assert_int_equal(totals.process_count, 0);
    assert_true(has_gap("process-1-0"));
}

static void use_many_devices(void)
{
    open_tracer();
    for (int i = 1; i < TRACE_DEVICES_MAX; i++)
        CHECK(tracer_add_device("opencl:?", "more", 1)); /* which may be different ones */
    CHECK(!tracer_add_device("opencl:?", "too many", 1));
    CHECK(tracer_add_device("opencl:0", "Test device", 1) == device);
}

static void too_many_devices_are_told(void **state)
{
    trace(use_many_devices);
    assert_true(has_gap("64 devices"));
    assert_int_equal(totals.gaps[0].calls, 0); /* unknown */
}

/* As a program that makes a device object for each piece of work. */
static void add_a_device_again_and_again(void)
{
    open_tracer();
    for (int i = 0; i < 2 * TRACE_DEVICES_MAX; i++) {
        trace_device *again = tracer_add_device("opencl:0", "Test device", 1);
        CHECK(again == device);
        trace_span span = span_of(tracer_row(again, TRACE_KERNEL, "kernel", NULL), 1000 * i, 100);
        tracer_record(again, &span, 1);
    }
    CHECK(tracer_add_device("opencl:0", "Other device", 1) != device);
}

static void a_device_that_is_added_again_is_the_same(void **state)
{
    trace(add_a_device_again_and_again);
    assert_int_equal(calls_of("kernel"), 2 * TRACE_DEVICES_MAX);
    assert_int_equal(totals.gap_count, 0);
    EXPECT_NUMBER(totals.devices[0].busy_ns, 2 * TRACE_DEVICES_MAX * 100);
    EXPECT_NUMBER(totals.devices[0].span_ns, (2 * TRACE_DEVICES_MAX - 1) * 1000 + 100);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(int count, char **arguments)
{
    program = program_invocation_name;
    if (count > 1 && strcmp(arguments[1], "exec") == 0)
        return after_exec();
    const struct CMUnitTest tests[] = {
        TEST(totals_are_what_was_recorded),
        TEST(the_median_of_an_even_number_is_the_mean_of_the_middle_two),
        TEST(a_killed_process_leaves_its_summary),
        TEST(waits_are_no_cost),
        TEST(all_readings_are_counted),
        TEST(children_of_fork_are_processes_of_their_own),
        TEST(children_have_whole_rows),
        TEST(children_of_the_root_are_not_followed),
        TEST(the_image_after_exec_has_a_file_of_its_own),
        TEST(a_cancelled_thread_gives_the_lock_back),
        TEST(threads_record_at_once),
        TEST(signal_handlers_do_not_deadlock),
        TEST(calls_that_a_handler_loses_are_counted),
        TEST(nothing_is_recorded_while_paused),
        TEST(kernels_are_skipped_and_counted),
        TEST(kernels_are_skipped_and_all_others_recorded),
        TEST(rows_are_wanted_and_split_by_size),
        TEST(rows_are_whole_unless_split),
        TEST(ranks_are_selected),
        TEST(the_variable_of_the_rank_may_be_named),
        TEST(the_time_line_is_bounded_and_the_summary_not),
        TEST(the_time_line_has_room_for_a_few_events_at_least),
        TEST(a_full_file_does_not_end_the_process),
        TEST(no_more_space_is_taken_than_allowed),
        TEST(a_process_that_ends_leaves_a_small_file),
        TEST(a_child_of_fork_leaves_a_small_file),
        TEST(spans_of_queues_wait_for_each_other),
        TEST(a_process_without_a_file_leaves_a_sentence),
        TEST(another_version_is_not_traced),
        TEST(another_process_than_the_root_is_not_traced),
        TEST(damaged_settings_are_not_used),
        TEST(a_folder_that_is_gone_is_not_used),
        TEST(a_folder_that_is_read_only_leaves_a_sentence),
        TEST(a_child_without_a_file_leaves_a_sentence),
        TEST(files_that_are_none_are_told),
        TEST(too_many_devices_are_told),
        TEST(a_device_that_is_added_again_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
