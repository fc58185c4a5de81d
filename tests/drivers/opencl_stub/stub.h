/* What every file of the stub shares: entering a call, answering it, and noticing misuse. */
#ifndef OPENCL_STUB_H
#define OPENCL_STUB_H

#include "entry_points.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum entry {
#define ENTRY_ID(name) ENTRY_##name,
    ENTRY_POINTS(ENTRY_ID)
#undef ENTRY_ID
        ENTRY_COUNT
};

enum stub_mode { MODE_UNREAD, MODE_FAST, MODE_COUNTING };

extern atomic_int stub_mode;

/* Reads the environment once; later calls return at once. */
void stub_init(void);
__attribute__((cold)) void stub_enter_slow(enum entry entry);

/* Counts a use of a handle that a real driver would be free to crash on. */
__attribute__((cold)) void stub_misuse(void);

_Noreturn void stub_sleep_forever(void);

/* The null benchmark lives on this: one load and one branch when nothing is counted. */
static inline void stub_enter(enum entry entry)
{
    if (atomic_load_explicit(&stub_mode, memory_order_acquire) != MODE_FAST)
        stub_enter_slow(entry);
}

#define ENTER(name) stub_enter(ENTRY_##name)

static inline cl_int misused(cl_int code)
{
    stub_misuse();
    return code;
}

/* For calls that return an object: stores the code, gives back NULL. */
static inline void *refuse(cl_int *errcode_ret, cl_int code)
{
    if (errcode_ret)
        *errcode_ret = code;
    return NULL;
}

static inline void *accept_object(cl_int *errcode_ret, void *object)
{
    if (errcode_ret)
        *errcode_ret = CL_SUCCESS;
    return object;
}

/* The answer of every clGet*Info. */
static inline cl_int reply(const void *data, size_t bytes, size_t room, void *out, size_t *used)
{
    if (out) {
        if (room < bytes)
            return CL_INVALID_VALUE;
        memcpy(out, data, bytes);
    }
    if (used)
        *used = bytes;
    return CL_SUCCESS;
}

static inline cl_int reply_text(const char *text, size_t room, void *out, size_t *used)
{
    return reply(text, strlen(text) + 1, room, out, used);
}

#endif
