/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE      /* PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP, RUSAGE_THREAD */
#define _DARWIN_C_SOURCE /* pthread_cond_timedwait_relative_np */
#include "support/thread.h"

#include "support/alloc.h"
#include "support/error.h"
#include "support/fault.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000

struct kt_mutex {
    pthread_mutex_t mutex;
};

struct kt_signal {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t value;
};

struct kt_thread {
    pthread_t thread;
    void (*run)(void *user);
    void *user;
};

/* Mutex calls fail only on misuse: relocking, unlocking by another thread, destroying while
 * locked. */
static void must_be_right(int code)
{
    assert(code == 0);
    (void)code;
}

kt_status kt_mutex_create(kt_mutex **out)
{
    kt_mutex *mutex = kt_alloc(1, sizeof *mutex);
    if (!mutex)
        return KT_NO_MEMORY;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
#if KT_FAULTS /* test builds check for misuse, most of all after injected faults */
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
#endif
    pthread_mutex_init(&mutex->mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
    *out = mutex;
    return KT_OK;
}

void kt_mutex_destroy(kt_mutex *mutex)
{
    if (!mutex)
        return;
    must_be_right(pthread_mutex_destroy(&mutex->mutex));
    kt_free(mutex);
}

#ifdef __APPLE__
#define CHECKED_MUTEX PTHREAD_ERRORCHECK_MUTEX_INITIALIZER
#else
#define CHECKED_MUTEX PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP
#endif

static kt_mutex library = {CHECKED_MUTEX};

/* Set before this thread takes the library's mutex. A mutex that checks for errors learns of its
 * owner too late for a signal handler that interrupts the locking. */
static _Thread_local volatile bool holds_library;

kt_mutex *kt_mutex_of_library(void)
{
    return &library;
}

bool kt_lock_library(void)
{
    if (holds_library)
        return false;
    kt_mutex_lock(&library);
    return true;
}

static void (*run_in_child)(void);

static bool forking; /* guarded by the library's mutex */

static void before_fork(void)
{
    if (kt_lock_library()) /* else a signal handler forks */
        forking = true;
}

static void after_fork(void)
{
    if (!forking)
        return;
    forking = false;
    kt_mutex_unlock(&library);
}

/* The owner of a mutex is a thread of the parent, so the child cannot unlock it. */
static void after_fork_in_child(void)
{
    run_in_child();
    if (forking)
        holds_library = false;
    forking = false;
    library = (kt_mutex){CHECKED_MUTEX};
}

void kt_thread_at_fork(void (*in_child)(void))
{
    run_in_child = in_child;
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

long kt_process_id(void)
{
    return (long)getpid();
}

void kt_mutex_lock(kt_mutex *mutex)
{
    if (mutex == &library)
        holds_library = true;
    must_be_right(pthread_mutex_lock(&mutex->mutex));
}

bool kt_mutex_try_lock(kt_mutex *mutex)
{
    bool before = holds_library;
    if (mutex == &library)
        holds_library = true;
    bool done = pthread_mutex_trylock(&mutex->mutex) == 0;
    if (!done)
        holds_library = before;
    return done;
}

void kt_mutex_unlock(kt_mutex *mutex)
{
    must_be_right(pthread_mutex_unlock(&mutex->mutex));
    if (mutex == &library)
        holds_library = false;
}

/* Deadlines must not move when the wall-clock time is set. macOS lacks this attribute but can wait
 * for a duration. */
static void init_condition(pthread_cond_t *condition)
{
#ifdef __APPLE__
    pthread_cond_init(condition, NULL);
#else
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
#endif
}

kt_status kt_signal_create(kt_signal **out)
{
    kt_signal *signal = kt_alloc(1, sizeof *signal);
    if (!signal)
        return KT_NO_MEMORY;
    init_condition(&signal->changed);
    pthread_mutex_init(&signal->mutex, NULL);
    *out = signal;
    return KT_OK;
}

void kt_signal_destroy(kt_signal *signal)
{
    if (!signal)
        return;
    pthread_cond_destroy(&signal->changed);
    pthread_mutex_destroy(&signal->mutex);
    kt_free(signal);
}

void kt_signal_raise(kt_signal *signal, uint64_t value)
{
    pthread_mutex_lock(&signal->mutex);
    if (value > signal->value)
        signal->value = value;
    pthread_cond_broadcast(&signal->changed);
    pthread_mutex_unlock(&signal->mutex);
}

void kt_signal_raise_kept(kt_signal *signal, uint64_t value)
{
    pthread_mutex_lock(&signal->mutex);
    if (value > signal->value)
        signal->value = value;
    pthread_mutex_unlock(&signal->mutex);
    pthread_cond_broadcast(&signal->changed);
}

static struct timespec deadline_after(int64_t timeout_ns)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += (time_t)(timeout_ns / NS_PER_S);
    at.tv_nsec += (long)(timeout_ns % NS_PER_S);
    if (at.tv_nsec >= NS_PER_S) {
        at.tv_nsec -= NS_PER_S;
        at.tv_sec++;
    }
    return at;
}

/* Waits for the signal. Returns 0, or the error that ends the wait. */
static int wait_until(kt_signal *signal, const struct timespec *deadline)
{
#ifdef __APPLE__
    struct timespec now, left;
    clock_gettime(CLOCK_MONOTONIC, &now);
    left = (struct timespec){deadline->tv_sec - now.tv_sec, deadline->tv_nsec - now.tv_nsec};
    if (left.tv_nsec < 0) {
        left.tv_nsec += NS_PER_S;
        left.tv_sec--;
    }
    return left.tv_sec < 0
               ? ETIMEDOUT
               : pthread_cond_timedwait_relative_np(&signal->changed, &signal->mutex, &left);
#else
    return pthread_cond_timedwait(&signal->changed, &signal->mutex, deadline);
#endif
}

bool kt_signal_wait(kt_signal *signal, uint64_t value, int64_t timeout_ns)
{
    pthread_mutex_lock(&signal->mutex);
    if (signal->value < value) {
        struct timespec deadline = {0};
        if (timeout_ns >= 0)
            deadline = deadline_after(timeout_ns);
        int result = 0;
        while (signal->value < value && result == 0)
            result = timeout_ns < 0 ? pthread_cond_wait(&signal->changed, &signal->mutex)
                                    : wait_until(signal, &deadline);
    }
    bool reached = signal->value >= value;
    pthread_mutex_unlock(&signal->mutex);
    return reached;
}

static void *run_thread(void *argument)
{
    kt_thread *thread = argument;
    thread->run(thread->user);
    return NULL;
}

kt_status kt_thread_start(void (*run)(void *user), void *user, kt_thread **out)
{
    kt_thread *thread = kt_alloc(1, sizeof *thread);
    if (!thread)
        return KT_NO_MEMORY;
    *thread = (kt_thread){.run = run, .user = user};
    int code = kt_fault(KT_FAULT_DRIVER, "pthread_create")
                   ? EAGAIN
                   : pthread_create(&thread->thread, NULL, run_thread, thread);
    if (code) {
        kt_free(thread);
        return kt_fail(KT_DRIVER_ERROR, "pthread_create failed: %s (%d)", strerror(code), code);
    }
    *out = thread;
    return KT_OK;
}

void kt_thread_join(kt_thread *thread)
{
    if (!thread)
        return;
    pthread_join(thread->thread, NULL);
    kt_free(thread);
}

void kt_thread_abandon(kt_thread *thread)
{
    /* The structure leaks on purpose, because the thread may still read it. */
    pthread_detach(thread->thread);
}

static pthread_once_t ends_once = PTHREAD_ONCE_INIT;
static pthread_key_t ends_key;
static atomic_bool ends_here; /* ends_key was created */

static void run_ends(void *first)
{
    kt_thread_end *end = first;
    while (end) {
        kt_thread_end *next = end->next;
        end->run(end);
        end = next;
    }
}

static void make_ends(void)
{
    atomic_store(&ends_here, pthread_key_create(&ends_key, run_ends) == 0);
}

void kt_thread_at_end(kt_thread_end *end)
{
    pthread_once(&ends_once, make_ends);
    if (!atomic_load(&ends_here))
        return;
    end->next = pthread_getspecific(ends_key);
    pthread_setspecific(ends_key, end);
}

/* Threads that outlive an unloaded plugin with this library must not call its code. Runs after all
 * other destructors, because those of the program may still record. */
__attribute__((destructor(101))) static void unload(void)
{
    if (!atomic_exchange(&ends_here, false))
        return;
    void *ends = pthread_getspecific(ends_key);
    pthread_key_delete(ends_key);
    /* `run` callbacks take the library's mutex, which this thread holds if a signal handler exits. */
    if (!kt_mutex_try_lock(kt_mutex_of_library()))
        return;
    kt_mutex_unlock(kt_mutex_of_library());
    run_ends(ends);
}

uint64_t kt_thread_sleeps(void)
{
#ifdef RUSAGE_THREAD
    struct rusage usage;
    if (getrusage(RUSAGE_THREAD, &usage) == 0)
        return (uint64_t)usage.ru_nvcsw;
#endif
    return 0;
}
