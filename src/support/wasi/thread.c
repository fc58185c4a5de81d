/* SPDX-License-Identifier: MIT */
/*
 * thread.c - threads, mutexes and signals in WebAssembly, which has one thread and no fork().
 *
 * A mutex only tells whether it is locked. Nobody could raise a signal while the only thread waits
 * for it, so such a wait fails at once.
 */
#include "support/thread.h"

#include "support/alloc.h"
#include "support/error.h"

#include <assert.h>

struct kt_mutex {
    bool is_locked;
};

struct kt_signal {
    uint64_t value;
};

static kt_mutex library;

kt_status kt_mutex_create(kt_mutex **out)
{
    *out = kt_alloc(1, sizeof **out);
    return *out ? KT_OK : KT_NO_MEMORY;
}

void kt_mutex_destroy(kt_mutex *mutex)
{
    kt_free(mutex);
}

void kt_mutex_lock(kt_mutex *mutex)
{
    assert(!mutex->is_locked);
    mutex->is_locked = true;
}

bool kt_mutex_try_lock(kt_mutex *mutex)
{
    bool was_locked = mutex->is_locked;
    mutex->is_locked = true;
    return !was_locked;
}

void kt_mutex_unlock(kt_mutex *mutex)
{
    assert(mutex->is_locked);
    mutex->is_locked = false;
}

kt_mutex *kt_mutex_of_library(void)
{
    return &library;
}

bool kt_lock_library(void)
{
    return kt_mutex_try_lock(&library);
}

void kt_thread_at_fork(void (*in_child)(void))
{
    (void)in_child;
}

long kt_process_id(void)
{
    return 1;
}

kt_status kt_signal_create(kt_signal **out)
{
    *out = kt_alloc(1, sizeof **out);
    return *out ? KT_OK : KT_NO_MEMORY;
}

void kt_signal_destroy(kt_signal *signal)
{
    kt_free(signal);
}

void kt_signal_raise(kt_signal *signal, uint64_t value)
{
    signal->value = value > signal->value ? value : signal->value;
}

void kt_signal_raise_kept(kt_signal *signal, uint64_t value)
{
    kt_signal_raise(signal, value);
}

bool kt_signal_wait(kt_signal *signal, uint64_t value, int64_t timeout_ns)
{
    (void)timeout_ns;
    return signal->value >= value;
}

kt_status kt_thread_start(void (*run)(void *user), void *user, kt_thread **out)
{
    (void)run, (void)user, (void)out;
    return kt_fail(KT_UNSUPPORTED, "there are no threads in WebAssembly");
}

void kt_thread_join(kt_thread *thread)
{
    (void)thread;
}

void kt_thread_abandon(kt_thread *thread)
{
    (void)thread;
}

uint64_t kt_thread_sleeps(void)
{
    return 0;
}

void kt_thread_at_end(kt_thread_end *end)
{
    (void)end; /* the thread ends with the module */
}
