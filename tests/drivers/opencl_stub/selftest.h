/* What the files of the selftest share. */
#ifndef OPENCL_STUB_SELFTEST_H
#define OPENCL_STUB_SELFTEST_H

#include "entry_points.h"
#include "tests/drivers/frame/cases.h"

#include <stdbool.h>
#include <stddef.h>

/* The stub is opened at run time, as kerntime opens it. */
struct api {
#define API_MEMBER(name) __typeof__(&(name)) name; // NOLINT(bugprone-macro-parentheses)
    ENTRY_POINTS(API_MEMBER)
#undef API_MEMBER
};

extern struct api cl;

struct world {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; /* in order, with profiling */
    cl_program program;
    cl_kernel empty;
};

void world_open(struct world *world);
void world_close(struct world *world);

/* One dispatch of the empty kernel; NULL when it was refused. */
cl_event dispatch(const struct world *world);
void timestamps_of(cl_event event, cl_ulong timestamps[4]);
cl_int status_of(cl_event event);
cl_command_queue new_queue(const struct world *world, cl_command_queue_properties properties);

struct test_case {
    const char *script; /* KT_STUB_OPENCL */
    void (*run)(void);
    const char *report; /* as stub_case_run() takes it */
    bool clean;         /* whatever line it holds, neither leak nor misuse */
};

extern const struct test_case call_cases[];   /* ends with run == NULL */
extern const struct test_case script_cases[]; /* the same */
extern const struct test_case late_cases[];   /* the same */
extern const struct test_case memory_cases[]; /* the same */

#endif
