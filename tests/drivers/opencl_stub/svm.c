/* SPDX-License-Identifier: MIT */
/* Shared virtual memory: pages that nobody may touch, but for the time of a command. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "stub.h"

#include <sys/mman.h>

struct svm {
    struct counted base;
    unsigned char *data;
    size_t size;
    unsigned users;
    int buffers;   /* that lie over it */
    cl_mem buffer; /* what a kernel sees of it */
    cl_mem part;   /* what a kernel sees that begins further on; NULL: none does */
};

struct svm *svm_find(const void *pointer)
{
    const uintptr_t at = (uintptr_t)pointer;
    for (struct svm *svm = NULL; (svm = object_next(KIND_SVM, svm)) != NULL;)
        if (at >= (uintptr_t)svm->data && at - (uintptr_t)svm->data < svm->size)
            return svm;
    return NULL;
}

cl_int svm_check(cl_context context, const void *pointer, size_t size)
{
    const struct svm *svm = svm_find(pointer);
    REQUIRE(svm, CL_INVALID_VALUE, "no shared memory there");
    size_t offset = (uintptr_t)pointer - (uintptr_t)svm->data;
    return svm->buffer->context == context && size <= svm->size - offset ? CL_SUCCESS
                                                                         : CL_INVALID_VALUE;
}

void svm_open(struct svm *svm)
{
    if (svm->users++ == 0)
        mprotect(svm->data, svm->size, PROT_READ | PROT_WRITE);
}

void svm_close(struct svm *svm)
{
    if (--svm->users == 0)
        mprotect(svm->data, svm->size, PROT_NONE);
}

void svm_cover(struct svm *svm, int buffers)
{
    svm->buffers += buffers;
}

/* What a kernel sees of it from this address on. */
static cl_mem see(struct svm *svm, cl_context context, unsigned char *from)
{
    cl_mem part = counted_create(KIND_BUFFER, sizeof *part, context);
    part->base.object.implicit = true;
    part->context = context;
    part->size = svm->size - (size_t)(from - svm->data);
    part->data = from;
    part->svm = svm;
    return part;
}

void *clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    ENTER(clSVMAlloc);
    REQUIRE(svm_works(), NULL, "there is no shared memory");
    if (!object_use(context, KIND_CONTEXT) || size == 0 || size > script.max_alloc ||
        alignment & (alignment - 1) || flags & ~(cl_svm_mem_flags)CL_MEM_READ_WRITE)
        return NULL;
    void *data = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED)
        return NULL;
    struct svm *svm = counted_create(KIND_SVM, sizeof *svm, context);
    svm->data = data;
    svm->size = size;
    svm->buffer = see(svm, context, data);
    return data;
}

void clSVMFree(cl_context context, void *pointer)
{
    ENTER(clSVMFree);
    struct svm *svm = svm_find(pointer);
    bool good = !pointer || (svm && svm->data == pointer && svm->buffer->context == context);
    EXPECT_USE(good, "no shared memory begins there");
    EXPECT_USE(!good || !svm || svm->buffers == 0, "a buffer lies over it");
    if (!good || !svm || svm->buffers > 0)
        return;
    counted_release(svm->buffer);
    if (svm->part)
        counted_release(svm->part);
    counted_release(svm);
    madvise(svm->data, svm->size, MADV_DONTNEED); /* the addresses stay taken */
}

cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *pointer)
{
    ENTER(clSetKernelArgSVMPointer);
    REQUIRE(svm_works(), CL_INVALID_OPERATION, "there is no shared memory");
    if (!object_use(kernel, KIND_KERNEL))
        return CL_INVALID_KERNEL;
    cl_int error = svm_check(kernel->context, pointer, 1);
    if (error)
        return error;
    struct svm *svm = svm_find(pointer);
    if (svm->data == pointer)
        return kernel_set_arg(kernel, index, sizeof(cl_mem), &svm->buffer);
    if (!svm->part)
        svm->part = see(svm, kernel->context, (unsigned char *)pointer);
    /* No two kernels here begin at different places behind the beginning. */
    return svm->part->data == pointer ? kernel_set_arg(kernel, index, sizeof(cl_mem), &svm->part)
                                      : CL_INVALID_ARG_VALUE;
}

/* Either end may be of the host. */
static cl_int check_end(cl_context context, const void *pointer, size_t size)
{
    if (!pointer)
        return CL_INVALID_VALUE;
    return svm_find(pointer) ? svm_check(context, pointer, size) : CL_SUCCESS;
}

cl_int clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *target,
                          const void *source, size_t size, cl_uint wait_count,
                          const cl_event *wait_list, cl_event *event)
{
    ENTER(clEnqueueSVMMemcpy);
    REQUIRE(svm_works(), CL_INVALID_OPERATION, "there is no shared memory");
    if (!object_use(queue, KIND_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    cl_int error = check_end(queue->context, target, size);
    if (!error)
        error = check_end(queue->context, source, size);
    if (error)
        return error;
    uintptr_t to = (uintptr_t)target, from = (uintptr_t)source;
    if (to < from + size && from < to + size)
        return CL_MEM_COPY_OVERLAP;
    struct command command;
    error = command_begin(&command, queue, CL_COMMAND_SVM_MEMCPY,
                          (struct waits){wait_count, wait_list});
    if (error)
        return error;
    struct svm *ends[] = {svm_find(target), svm_find(source)};
    for (int i = 0; i < 2; i++)
        if (ends[i])
            svm_open(ends[i]);
    if (command_runs(&command))
        memcpy(target, source, size);
    for (int i = 0; i < 2; i++)
        if (ends[i])
            svm_close(ends[i]);
    return command_end(&command, blocking, event);
}
