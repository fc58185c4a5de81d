/* SPDX-License-Identifier: MIT */
/* thread.h - threads, mutexes and signals. Deadlines use CLOCK_MONOTONIC. */
#ifndef KT_SUPPORT_THREAD_H
#define KT_SUPPORT_THREAD_H

#include <kerntime/status.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct kt_mutex kt_mutex;
typedef struct kt_thread kt_thread;
typedef struct kt_signal kt_signal;

kt_status kt_mutex_create(kt_mutex **out);
void kt_mutex_destroy(kt_mutex *mutex); /* accepts mutex == NULL */
void kt_mutex_lock(kt_mutex *mutex);
bool kt_mutex_try_lock(kt_mutex *mutex);
void kt_mutex_unlock(kt_mutex *mutex);
/* The static mutex of the library, needed by the registry. Never destroyed. */
kt_mutex *kt_mutex_of_library(void);
/* Locks the library's mutex. False if this thread holds it: a signal handler interrupted it. */
bool kt_lock_library(void);
/* Keeps the library's mutex locked while the process forks, so that the child can lock it. Calls
 * `in_child` in the child before that, when only the thread that forked is left. */
void kt_thread_at_fork(void (*in_child)(void));
/* Number of this process: a child of fork() has another one. */
long kt_process_id(void);

/* A signal carries a rising number that threads can wait for. */
kt_status kt_signal_create(kt_signal **out);
void kt_signal_destroy(kt_signal *signal); /* accepts NULL; no thread may wait for the signal */
/* Raises the number to `value` and wakes waiting threads. Never lowers the number. */
void kt_signal_raise(kt_signal *signal, uint64_t value);
/* The same for a signal that no waiting thread destroys: a woken thread finds the mutex free. */
void kt_signal_raise_kept(kt_signal *signal, uint64_t value);
/* Waits until the number reaches `value`. False after timeout_ns; negative means no limit. */
bool kt_signal_wait(kt_signal *signal, uint64_t value, int64_t timeout_ns);

kt_status kt_thread_start(void (*run)(void *user), void *user, kt_thread **out);
void kt_thread_join(kt_thread *thread);
/* Detaches the thread; it may run for ever. */
void kt_thread_abandon(kt_thread *thread);

/* How often the calling thread has slept so far; 0 on systems that do not say. About 0.3 us. */
uint64_t kt_thread_sleeps(void);

/* Part of a structure owned by one thread. `run` is called when that thread ends or unloads the
 * library. */
typedef struct kt_thread_end {
    void (*run)(struct kt_thread_end *end);
    struct kt_thread_end *next;
} kt_thread_end;

/* Registers `end` for the calling thread. If the system has no slot left, `run` is never called. */
void kt_thread_at_end(kt_thread_end *end);

#endif
