/* thread.h - the few things of threads that the library needs. Deadlines are on the system's
 * clock. */
#ifndef KT_SUPPORT_THREAD_H
#define KT_SUPPORT_THREAD_H

#include <kerntime/status.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct kt_mutex kt_mutex;
typedef struct kt_thread kt_thread;
typedef struct kt_signal kt_signal;

kt_status kt_mutex_create(kt_mutex **out);
void kt_mutex_destroy(kt_mutex *mutex); /* NULL is fine */
void kt_mutex_lock(kt_mutex *mutex);
bool kt_mutex_try_lock(kt_mutex *mutex);
void kt_mutex_unlock(kt_mutex *mutex);
/* The one that is there without being made, for what lives as long as the library: the
 * registry's. */
kt_mutex *kt_mutex_of_library(void);

/* A signal carries one number from one thread to another that may wait for it. */
kt_status kt_signal_create(kt_signal **out);
void kt_signal_destroy(kt_signal *signal); /* NULL is fine; nobody may wait */
/* Raises the number to `value` and wakes who waits. Never lowers it. */
void kt_signal_raise(kt_signal *signal, uint64_t value);
/* Waits until the number is at least `value`: true; false after timeout_ns (< 0: no limit). */
bool kt_signal_wait(kt_signal *signal, uint64_t value, int64_t timeout_ns);

kt_status kt_thread_start(void (*run)(void *user), void *user, kt_thread **out);
void kt_thread_join(kt_thread *thread);
/* Lets the thread go on by itself for ever. */
void kt_thread_abandon(kt_thread *thread);

/* In a structure that belongs to one thread: has `run` called with it there when that thread ends,
 * or when the library is unloaded by it. */
typedef struct kt_thread_end {
    void (*run)(struct kt_thread_end *end);
    struct kt_thread_end *next;
} kt_thread_end;

/* For the calling thread. Where the system has no room for it, `run` is never called. */
void kt_thread_at_end(kt_thread_end *end);

#endif
