/* SPDX-License-Identifier: MIT */
/* Ends a program of this build that starts a thread: preloaded into tests that are said to start
 * none, which the thread sanitizer therefore leaves out. Whoever else starts one may: OpenMP's
 * library, or another program that the test runs. */
#define _GNU_SOURCE /* dladdr(), RTLD_NEXT */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int creator(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static int is_of_this_build(void *caller)
{
    Dl_info info;
    return dladdr(caller, &info) && info.dli_fname &&
           strncmp(info.dli_fname, BUILD_FOLDER, strlen(BUILD_FOLDER)) == 0;
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *restrict thread,
                                                          const pthread_attr_t *restrict attributes,
                                                          void *(*run)(void *), void *restrict user)
{
    if (is_of_this_build(__builtin_return_address(0))) {
        fputs("a test that is said to start no thread starts one: see kt_one_thread()\n", stderr);
        abort();
    }
    creator *real;
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    return real(thread, attributes, run, user);
}
