/* Programs, kernels and the C functions that stand in for compiled ones. */
#ifndef OPENCL_STUB_PROGRAM_H
#define OPENCL_STUB_PROGRAM_H

#include "objects.h"

#include "tests/drivers/frame/group_kernels.h"

enum { ARG_COUNT_MAX = 16, ARG_BYTES_MAX = 128 };

struct _cl_program {
    struct object base;
    cl_context context;
    char *source;
    char *options;
    cl_build_status status;
};

union arg_value {
    cl_mem buffer;
    cl_uint number;
    unsigned char bytes[ARG_BYTES_MAX];
};

struct builtin {
    const char *name;
    const char *args;  /* one letter each: b buffer, u cl_uint; NULL takes anything */
    bool empty;        /* takes the script's empty_ns */
    const char *macro; /* a number in its text; NULL: none */
    /* NULL where there is nothing to check or to do. */
    cl_int (*check)(cl_kernel kernel);
    void (*run)(cl_kernel kernel, bool wrong);
    const group_kernel *by_groups; /* in place of both */
};

struct _cl_kernel {
    struct object base;
    cl_context context;
    const struct builtin *builtin;
    cl_uint args_set; /* bit i: argument i has a value */
    union arg_value args[ARG_COUNT_MAX];
    cl_uint macro; /* the value of builtin->macro */
};

cl_int kernel_set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value);

/* Never NULL: a name that the table lacks does nothing with any arguments. */
const struct builtin *builtin_find(const char *name);

/* A kernel by groups: whether its buffers are large enough, and the run itself. */
cl_int builtin_check_groups(cl_kernel kernel, cl_uint groups);
void builtin_run_groups(cl_kernel kernel, cl_uint groups, cl_uint group_size, bool wrong);

/* The number that a macro stands for, by -Dmacro=number among the options or a #define in the text;
 * false: there is none. */
bool program_macro(cl_program program, const char *macro, cl_uint *number);

/* Program info shared with clCreateKernel: built and its text mentions the name. */
cl_int program_has_kernel(cl_program program, const char *name);

#endif
