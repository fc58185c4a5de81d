/* SPDX-License-Identifier: MIT */
/* Dispatches over a driver that does nothing, and tells what happened meanwhile: allocations and
 * locks. A system call ends it. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "world.h"

#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { HARVEST = 4096 }; /* calls after which the tracer reads what has ended */

#ifdef __GLIBC__
static _Atomic(unsigned) allocations, locks;

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);

#define EXPORT __attribute__((visibility("default")))

EXPORT void *malloc(size_t bytes)
{
    allocations++;
    return __libc_malloc(bytes);
}

EXPORT void *calloc(size_t count, size_t bytes)
{
    allocations++;
    return __libc_calloc(count, bytes);
}

EXPORT void *realloc(void *old, size_t bytes)
{
    allocations++;
    return __libc_realloc(old, bytes);
}

EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    static int (*next)(pthread_mutex_t *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    locks++;
    return next(mutex);
}

/* From now on, all system calls but these end the process. Some machines read the clock by one. */
static void forbid_calls(void)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        _exit(77);
}

int main(void)
{
    world w;
    char text[80];
    world_open(&w, "kernel void nothing() {}");
    cl_kernel kernel = world_kernel(&w, "nothing");
    for (int i = 0; i < 10 * HARVEST; i++)
        world_dispatch(&w, w.queue, kernel, NULL);
    w.clFinish(w.queue);
    forbid_calls();
    const unsigned allocations_before = allocations, locks_before = locks;
    for (int i = 0; i < HARVEST - 1; i++)
        world_dispatch(&w, w.queue, kernel, NULL);
    const unsigned allocated = allocations - allocations_before, locked = locks - locks_before;
    /* With a harvest in between. */
    for (int i = 0; i < HARVEST; i++)
        world_dispatch(&w, w.queue, kernel, NULL);
    const int length = snprintf(text, sizeof text, "%u allocations, %u locks\n", allocated, locked);
    if (write(STDOUT_FILENO, text, (size_t)length) != length)
        _exit(1);
    _exit(0);
}
#else
int main(void)
{
    return 77; /* nothing is known of its allocations */
}
#endif
