#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "svm.h"
#include "command.h"
#include "memory.h"
#include "program.h"

#include <pthread.h>
#include <sys/mman.h>

struct svm {
    struct object base;
    unsigned char *data; /* pages that nobody may touch, but for the time of a command */
    size_t size;
    unsigned users;
    atomic_uint buffers;   /* that lie over it */
    struct _cl_mem buffer; /* what a kernel sees of it */
    struct svm *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the pages' protection */
static _Atomic(struct svm *) all;                        /* for ever, so that a late use is found */

struct svm *svm_find(const void *pointer)
{
    const uintptr_t at = (uintptr_t)pointer;
    for (struct svm *svm = atomic_load(&all); svm; svm = svm->next)
        if (at >= (uintptr_t)svm->data && at - (uintptr_t)svm->data < svm->size)
            return svm;
    return NULL;
}

cl_int svm_check(cl_context context, const void *pointer, size_t size)
{
    const struct svm *svm = svm_find(pointer);
    if (!svm || !object_ok(svm, KIND_SVM))
        return misused(CL_INVALID_VALUE);
    size_t offset = (uintptr_t)pointer - (uintptr_t)svm->data;
    return svm->buffer.context == context && size <= svm->size - offset ? CL_SUCCESS
                                                                        : CL_INVALID_VALUE;
}

void svm_open(struct svm *svm)
{
    pthread_mutex_lock(&lock);
    if (svm->users++ == 0)
        mprotect(svm->data, svm->size, PROT_READ | PROT_WRITE);
    pthread_mutex_unlock(&lock);
}

void svm_close(struct svm *svm)
{
    pthread_mutex_lock(&lock);
    if (--svm->users == 0)
        mprotect(svm->data, svm->size, PROT_NONE);
    pthread_mutex_unlock(&lock);
}

void svm_covered(struct svm *svm, bool is_covered)
{
    is_covered ? atomic_fetch_add(&svm->buffers, 1) : atomic_fetch_sub(&svm->buffers, 1);
}

void *clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    ENTER(clSVMAlloc);
    if (!svm_works() || !object_ok(context, KIND_CONTEXT)) {
        stub_misuse();
        return NULL;
    }
    if (size == 0 || size > script.max_alloc || alignment & (alignment - 1) ||
        flags & ~(cl_svm_mem_flags)(CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY))
        return NULL;
    struct svm *svm = object_create(KIND_SVM, sizeof *svm, NULL);
    if (!svm)
        return NULL;
    svm->data = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    svm->size = svm->data == MAP_FAILED ? 0 : size;
    if (!svm->size) {
        object_release(svm);
        return NULL;
    }
    svm->buffer = (struct _cl_mem){.base = {OBJECT_MAGIC, KIND_BUFFER, 1, NULL, NULL},
                                   .context = context,
                                   .size = size,
                                   .data = svm->data,
                                   .svm = svm};
    struct svm *first = atomic_load(&all);
    do {
        svm->next = first;
    } while (!atomic_compare_exchange_weak(&all, &first, svm));
    return svm->data;
}

void clSVMFree(cl_context context, void *svm_pointer)
{
    ENTER(clSVMFree);
    if (!svm_pointer)
        return;
    struct svm *svm = svm_find(svm_pointer);
    if (!svm || !object_ok(svm, KIND_SVM) || svm->data != svm_pointer ||
        svm->buffer.context != context || atomic_load(&svm->buffers) != 0) {
        stub_misuse();
        return;
    }
    object_release(svm);
    object_release(&svm->buffer);
    madvise(svm->data, svm->size, MADV_DONTNEED); /* the addresses stay taken */
}

cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index, const void *arg_value)
{
    ENTER(clSetKernelArgSVMPointer);
    if (!svm_works())
        return misused(CL_INVALID_OPERATION);
    if (!object_ok(kernel, KIND_KERNEL))
        return misused(CL_INVALID_KERNEL);
    cl_int error = svm_check(kernel->context, arg_value, 1);
    if (error)
        return error;
    cl_mem buffer = &svm_find(arg_value)->buffer;
    /* No kernel here begins elsewhere than at the beginning. */
    return buffer->data == arg_value ? kernel_set_arg(kernel, arg_index, sizeof(cl_mem), &buffer)
                                     : CL_INVALID_ARG_VALUE;
}

/* Either end may be of the host. */
static cl_int check_end(cl_context context, const void *pointer, size_t size)
{
    if (!pointer)
        return CL_INVALID_VALUE;
    return svm_find(pointer) ? svm_check(context, pointer, size) : CL_SUCCESS;
}

static void copy(void *to, const void *from, size_t size)
{
    struct svm *dst = svm_find(to), *src = svm_find(from);
    if (dst)
        svm_open(dst);
    if (src)
        svm_open(src);
    memcpy(to, from, size);
    if (src)
        svm_close(src);
    if (dst)
        svm_close(dst);
}

cl_int clEnqueueSVMMemcpy(cl_command_queue command_queue, cl_bool blocking_copy, void *dst_ptr,
                          const void *src_ptr, size_t size, cl_uint num_events_in_wait_list,
                          const cl_event *event_wait_list, cl_event *event)
{
    ENTER(clEnqueueSVMMemcpy);
    if (!svm_works())
        return misused(CL_INVALID_OPERATION);
    if (!object_ok(command_queue, KIND_QUEUE))
        return misused(CL_INVALID_COMMAND_QUEUE);
    cl_int error = check_end(command_queue->context, dst_ptr, size);
    if (!error)
        error = check_end(command_queue->context, src_ptr, size);
    if (error)
        return error;
    uintptr_t to = (uintptr_t)dst_ptr, from = (uintptr_t)src_ptr;
    if (to < from + size && from < to + size)
        return CL_MEM_COPY_OVERLAP;
    struct command command;
    struct waits waits = {num_events_in_wait_list, event_wait_list};
    error = command_begin(&command, command_queue, CL_COMMAND_SVM_MEMCPY, waits);
    if (error)
        return error;
    if (command_runs(&command))
        copy(dst_ptr, src_ptr, size);
    return command_end(&command, blocking_copy, event);
}
