/* SPDX-License-Identifier: MIT */
#include "calls.h"

#include "report.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { INSIDE_MAX = 64, PAUSE_NS = 20000, NOWHERE = -1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What threads are in calls on. Asked without the lock, or no thread would ever meet another. */
static _Atomic(const void *) inside[INSIDE_MAX];
static _Thread_local int inside_at = NOWHERE;

static int step_inside(const void *object, bool *met)
{
    int mine = NOWHERE;
    for (int i = 0; i < INSIDE_MAX; i++) {
        const void *none = NULL;
        if (atomic_load(&inside[i]) == object)
            *met = true;
        else if (mine == NOWHERE && atomic_compare_exchange_strong(&inside[i], &none, object))
            mine = i;
    }
    return mine;
}

bool call_enter_alone(int entry, const void *object, bool *met)
{
    bool fails = report_call(entry);
    *met = false;
    inside_at = object ? step_inside(object, met) : NOWHERE;
    call_lock();
    report_caller = report_of.entries[entry].name;
    return fails;
}

bool call_enter(int entry)
{
    bool met;
    return call_enter_alone(entry, NULL, &met);
}

void call_leave(void)
{
    report_caller = NULL;
    call_unlock();
    if (inside_at != NOWHERE)
        atomic_store(&inside[inside_at], NULL);
    inside_at = NOWHERE;
}

void call_pause(void)
{
    call_unlock();
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    call_lock();
}

void call_lock(void)
{
    pthread_mutex_lock(&lock);
}

void call_unlock(void)
{
    pthread_mutex_unlock(&lock);
}
