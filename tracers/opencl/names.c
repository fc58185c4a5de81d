/* SPDX-License-Identifier: MIT */
/* names.c - names of kernels, and the row of each dispatch.
 *
 * A driver may give a new kernel the handle of one that was released. Programs do not use a handle
 * before its creation has returned, so that is when what is known of a handle is forgotten. */
#include "layer.h"

#include "support/alloc.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BUCKETS = 4096, SIZES = 3 };

typedef struct name {
    struct name *next;
    char *text;
} name;

typedef struct handle {
    struct handle *next;
    cl_kernel kernel;
    _Atomic(const name *) name; /* NULL: forgotten */
} handle;

/* Where and how large a kernel was launched. Without rows by size, all sizes are 0. */
typedef struct launch {
    const name *name;
    const layer_device *device;
    size_t dimensions, global[SIZES], local[SIZES]; /* local 0: the driver chose */
} launch;

typedef struct launched {
    struct launched *next;
    launch launch;
    trace_row *row; /* NULL: not wanted */
} launched;

static name *names; /* under the lock */
static _Atomic(handle *) handles[BUCKETS];
static _Atomic(launched *) launches[BUCKETS];

static size_t bucket_of(uint64_t key)
{
    return (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 32) % BUCKETS;
}

static handle *find_handle(cl_kernel kernel)
{
    handle *h = atomic_load_explicit(&handles[bucket_of((uintptr_t)kernel)], memory_order_acquire);
    while (h && h->kernel != kernel)
        h = h->next;
    return h;
}

void layer_kernel_is_new(cl_kernel kernel)
{
    handle *known = find_handle(kernel);
    if (known)
        atomic_store_explicit(&known->name, NULL, memory_order_release);
}

/* One for all kernels of that name. Under the lock; takes the text. */
static const name *intern(char *text)
{
    name *known = names;
    while (known && strcmp(known->text, text) != 0)
        known = known->next;
    if (!known && (known = kt_alloc(1, sizeof *known)) != NULL) {
        *known = (name){names, text};
        names = known;
        return known;
    }
    kt_free(text);
    return known;
}

static char *ask_name(cl_kernel kernel)
{
    size_t bytes = 0;
    if (layer_next.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, NULL, &bytes) !=
            CL_SUCCESS ||
        bytes == 0)
        return NULL;
    char *text = kt_alloc(bytes + 1, 1);
    if (text && layer_next.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, bytes, text, NULL) ==
                    CL_SUCCESS)
        return text;
    kt_free(text);
    return NULL;
}

/* NULL: it is no kernel, or no memory. */
static const name *add_handle(cl_kernel kernel)
{
    char *text = ask_name(kernel);
    if (!text)
        return NULL;
    layer_lock();
    const name *its_name = intern(text);
    handle *h = find_handle(kernel);
    if (its_name && !h && (h = kt_alloc(1, sizeof *h)) != NULL) {
        _Atomic(handle *) *bucket = &handles[bucket_of((uintptr_t)kernel)];
        h->kernel = kernel;
        h->next = atomic_load(bucket);
        atomic_store(bucket, h);
    }
    if (h)
        atomic_store_explicit(&h->name, its_name, memory_order_release);
    layer_unlock();
    return its_name;
}

static const name *name_of(cl_kernel kernel)
{
    handle *h = find_handle(kernel);
    const name *known = h ? atomic_load_explicit(&h->name, memory_order_acquire) : NULL;
    return known ? known : add_handle(kernel);
}

/* ---- rows ---- */

static size_t bucket_of_launch(const launch *l)
{
    uint64_t key = (uintptr_t)l->name ^ (uintptr_t)l->device << 1;
    for (int i = 0; i < SIZES && l->dimensions; i++)
        key = (key ^ l->global[i] ^ (uint64_t)l->local[i] << 40) * UINT64_C(0x9E3779B97F4A7C15);
    return bucket_of(key);
}

static bool is_same(const launch *a, const launch *b)
{
    return a->name == b->name && a->device == b->device && a->dimensions == b->dimensions &&
           (a->dimensions == 0 || (memcmp(a->global, b->global, sizeof a->global) == 0 &&
                                   memcmp(a->local, b->local, sizeof a->local) == 0));
}

static launched *find_launched(const launch *l, size_t bucket)
{
    launched *known = atomic_load_explicit(&launches[bucket], memory_order_acquire);
    while (known && !is_same(&known->launch, l))
        known = known->next;
    return known;
}

/* "1024x1024 / 16x16" */
static void print_size(const launch *l, char *text, size_t bytes)
{
    size_t used = 0;
    for (int half = 0; half < 2; half++) {
        const size_t *sizes = half ? l->local : l->global;
        for (size_t i = 0; i < l->dimensions && sizes[0] && used < bytes; i++)
            used += (size_t)snprintf(text + used, bytes - used, "%s%zu",
                                     i      ? "x"
                                     : half ? " / "
                                            : "",
                                     sizes[i]);
    }
}

static trace_row *add_launched(layer_device *device, const launch *l, size_t bucket)
{
    char size[160] = "";
    print_size(l, size, sizeof size);
    trace_row *row = tracer_row(device->trace, TRACE_KERNEL, l->name->text, size[0] ? size : NULL);
    layer_lock();
    launched *made = find_launched(l, bucket) ? NULL : kt_alloc(1, sizeof *made);
    if (made) {
        made->launch = *l;
        made->row = row;
        made->next = atomic_load(&launches[bucket]);
        atomic_store(&launches[bucket], made);
    }
    layer_unlock();
    return row;
}

trace_row *layer_kernel_row(layer_device *device, cl_kernel kernel, cl_uint dimensions,
                            const size_t *global, const size_t *local)
{
    launch l = {.name = name_of(kernel), .device = device};
    if (!l.name)
        return NULL;
    if (tracer_splits_by_size() && global && dimensions <= SIZES) {
        l.dimensions = dimensions;
        memcpy(l.global, global, dimensions * sizeof *global);
        if (local)
            memcpy(l.local, local, dimensions * sizeof *local);
    }
    const size_t bucket = bucket_of_launch(&l);
    const launched *known = find_launched(&l, bucket);
    return known ? known->row : add_launched(device, &l, bucket);
}

/* ---- hooks ---- */

static cl_kernel CL_API_CALL hook_clCreateKernel(cl_program program, const char *text, cl_int *code)
{
    cl_kernel kernel = layer_next.clCreateKernel(program, text, code);
    layer_kernel_is_new(kernel);
    return kernel;
}

static cl_kernel CL_API_CALL hook_clCloneKernel(cl_kernel source, cl_int *code)
{
    cl_kernel kernel = layer_next.clCloneKernel(source, code);
    layer_kernel_is_new(kernel);
    return kernel;
}

static cl_int CL_API_CALL hook_clCreateKernelsInProgram(cl_program program, cl_uint room,
                                                        cl_kernel *kernels, cl_uint *count)
{
    if (!kernels)
        return layer_next.clCreateKernelsInProgram(program, room, kernels, count);
    cl_uint own_count = 0;
    cl_uint *made = count ? count : &own_count;
    const cl_int code = layer_next.clCreateKernelsInProgram(program, room, kernels, made);
    for (cl_uint i = 0; code == CL_SUCCESS && i < *made && i < room; i++)
        layer_kernel_is_new(kernels[i]);
    return code;
}

void layer_hook_names(cl_icd_dispatch *table)
{
    LAYER_HOOK(table, clCreateKernel);
    LAYER_HOOK(table, clCloneKernel);
    LAYER_HOOK(table, clCreateKernelsInProgram);
}
