/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* secure_getenv */
#include "tracers/common/filter.h"
#include "tracers/common/writer.h"

#include <kerntime/clock.h>
#include <kerntime/kerntime.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

tracer_shared tracer_state;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Guarded by the lock: what is given back with it. */
static int kept_errno, kept_cancel;
static bool is_cancel_off;

/* Set before the lock is taken: a signal handler that interrupts its owner, or who is about to be
 * it, must not wait. A mutex that checks for errors learns of its owner too late. */
static _Thread_local volatile bool is_inside;

static bool lock_process(void)
{
    if (is_inside)
        return false;
    is_inside = true;
    int code = errno;
    pthread_mutex_lock(&lock);
    kept_errno = code;
    return true;
}

void tracer_turn_cancel_off(void)
{
    if (!is_cancel_off)
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &kept_cancel);
    is_cancel_off = true;
}

static void unlock_process(void)
{
    int code = kept_errno, cancel = kept_cancel;
    bool was_cancel_off = is_cancel_off;
    is_cancel_off = false;
    pthread_mutex_unlock(&lock);
    is_inside = false;
    if (was_cancel_off)
        pthread_setcancelstate(cancel, NULL);
    errno = code;
}

/* The first process that fails leaves its sentence. */
static void tell_failure(trace_settings *settings, const char *reason)
{
    if (atomic_fetch_add(&settings->failures, 1) == 0)
        snprintf(settings->failure, sizeof settings->failure, "%s", reason);
}

/* ---- fork ---- */

static bool forking; /* guarded by the lock */

static void before_fork(void)
{
    if (lock_process())
        forking = true;
}

static void after_fork(void)
{
    if (!forking)
        return;
    forking = false;
    unlock_process();
}

/* If a signal handler forked in the midst of a change, what the child has is half of it. */
static void after_fork_in_child(void)
{
    bool is_whole = forking;
    forking = false;
    if (is_whole)
        unlock_process();
    else
        lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    if (atomic_load(&tracer_state.mode) == TRACER_OFF)
        return;
    atomic_store(&tracer_state.mode, is_whole ? TRACER_FORKED : TRACER_OFF);
}

bool tracer_reopen(void)
{
    if (!lock_process())
        return false;
    if (atomic_load(&tracer_state.mode) == TRACER_FORKED) {
        tracer_turn_cancel_off();
        char reason[TRACE_FAILURE_BYTES];
        trace_settings *settings = tracer_state.settings;
        bool is_wanted = settings->root == 0;
        bool is_open = is_wanted && tracer_file_reopen(reason, sizeof reason);
        if (is_wanted && !is_open)
            tell_failure(settings, reason);
        atomic_store_explicit(&tracer_state.mode, is_open ? TRACER_ON : TRACER_OFF,
                              memory_order_release);
    }
    bool is_on = atomic_load(&tracer_state.mode) == TRACER_ON;
    unlock_process();
    return is_on;
}

/* ---- access ---- */

trace_file_head *tracer_lock_for(uint64_t calls)
{
    trace_file_head *head = tracer_head();
    if (!head)
        return NULL;
    if (lock_process())
        return head;
    atomic_fetch_add_explicit(&head->lost, calls, memory_order_relaxed);
    return NULL;
}

void tracer_unlock(void)
{
    unlock_process();
}

static _Atomic(uint32_t) threads;
static _Thread_local uint32_t thread_number; /* from 1; 0: none yet */

uint32_t tracer_thread(void)
{
    if (!thread_number)
        thread_number = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) + 1;
    return thread_number - 1;
}

int64_t tracer_now_ns(void)
{
    return kt_host_now_ns();
}

/* ---- opening ---- */

static void rank_of_process(const trace_settings *settings, char *text, size_t bytes)
{
    kt_launch launch;
    text[0] = '\0';
    if (kt_launch_read(settings->rank_variable[0] ? settings->rank_variable : NULL, &launch) ==
        KT_OK)
        snprintf(text, bytes, "%" PRIu32, launch.rank);
}

static bool ends(const char *text, size_t bytes)
{
    return memchr(text, 0, bytes) != NULL;
}

static bool is_valid(const trace_settings *settings)
{
    return settings->magic == TRACE_SETTINGS_MAGIC &&
           strncmp(settings->version, kt_version(), sizeof settings->version) == 0 &&
           ends(settings->ranks, sizeof settings->ranks) &&
           ends(settings->rank_variable, sizeof settings->rank_variable);
}

static trace_settings *map_settings(const char *folder)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/" TRACE_SETTINGS_FILE, folder);
    if (length < 0 || (size_t)length >= sizeof path)
        return NULL;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    struct stat status;
    void *at = MAP_FAILED;
    if (fstat(fd, &status) == 0 && (uint64_t)status.st_size >= sizeof(trace_settings))
        at = mmap(NULL, sizeof(trace_settings), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (at == MAP_FAILED)
        return NULL;
    if (is_valid(at))
        return at;
    munmap(at, sizeof(trace_settings));
    return NULL;
}

static void open_process(trace_api api)
{
    const char *folder = secure_getenv(TRACE_VARIABLE);
    if (!folder || !folder[0])
        return;
    tracer_turn_cancel_off();
    trace_settings *settings = map_settings(folder);
    if (!settings)
        return;
    char rank[16];
    rank_of_process(settings, rank, sizeof rank);
    char reason[TRACE_FAILURE_BYTES];
    tracer_state.settings = settings;
    if ((settings->root == 0 || settings->root == getpid()) &&
        trace_list_holds(settings->ranks, rank)) {
        if (tracer_file_open(folder, api, rank, reason, sizeof reason)) {
            tracer_state.head = tracer_at(0);
            tracer_cost_init();
            pthread_atfork(before_fork, after_fork, after_fork_in_child);
            atomic_store_explicit(&tracer_state.mode, TRACER_ON, memory_order_release);
            return;
        }
        tell_failure(settings, reason);
    }
    tracer_state.settings = NULL;
    munmap(settings, sizeof *settings);
}

bool tracer_open(trace_api api)
{
    static bool tried; /* guarded by the lock */
    if (!lock_process())
        return false;
    if (!tried)
        open_process(api);
    tried = true;
    unlock_process();
    return tracer_head() != NULL;
}

bool tracer_wants_kernel(void)
{
    if (!tracer_head())
        return false;
    trace_settings *settings = tracer_state.settings;
    if (settings->skip == 0 && settings->count == 0)
        return true;
    uint64_t number = atomic_fetch_add_explicit(&settings->kernels, 1, memory_order_relaxed);
    return number >= settings->skip &&
           (settings->count == 0 || number - settings->skip < settings->count);
}

bool tracer_keeps_events(void)
{
    return tracer_head() && tracer_state.settings->memory_bytes > 0;
}

bool tracer_splits_by_size(void)
{
    return tracer_head() && tracer_state.settings->by_size;
}

bool tracer_is_exact(void)
{
    return tracer_head() && tracer_state.settings->exact;
}

/* Other processes need the space. What is recorded later has room again. */
__attribute__((destructor)) static void end_process(void)
{
    if (atomic_load(&tracer_state.mode) != TRACER_ON || !lock_process())
        return;
    tracer_file_trim();
    unlock_process();
}

/* ---- what is told at the end ---- */

static trace_file_gap *find_gap(trace_file_head *head, const char *clause)
{
    uint64_t offset = atomic_load(&head->gaps);
    while (offset) {
        trace_file_gap *gap = tracer_at(offset);
        if (strcmp(tracer_at(gap->text), clause) == 0)
            return gap;
        offset = gap->next;
    }
    uint64_t text = tracer_file_text(clause);
    offset = text ? tracer_file_reserve(sizeof(trace_file_gap)) : 0;
    if (!offset)
        return NULL;
    trace_file_gap *gap = tracer_at(offset);
    gap->text = text;
    gap->next = atomic_load(&head->gaps);
    atomic_store_explicit(&head->gaps, offset, memory_order_release);
    return gap;
}

void tracer_add_gap(trace_file_head *head, const char *clause, uint64_t calls)
{
    trace_file_gap *gap = find_gap(head, clause);
    if (gap)
        gap->calls += calls;
}

void tracer_gap(const char *clause, uint64_t calls)
{
    trace_file_head *head = tracer_lock();
    if (!head)
        return;
    tracer_add_gap(head, clause, calls);
    tracer_unlock();
}

void tracer_stop(const char *sentence)
{
    trace_file_head *head = tracer_lock();
    if (!head)
        return;
    snprintf(head->stopped, sizeof head->stopped, "%s", sentence);
    atomic_store_explicit(&tracer_state.mode, TRACER_OFF, memory_order_release);
    tracer_unlock();
}
