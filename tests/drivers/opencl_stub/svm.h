/* Shared virtual memory, coarse-grained: nobody but a command may touch it. */
#ifndef OPENCL_STUB_SVM_H
#define OPENCL_STUB_SVM_H

#include "objects.h"

struct svm;

/* The allocation in which the pointer lies, also one that was freed; NULL: none. */
struct svm *svm_find(const void *pointer);
/* Whether so many bytes from there lie in an allocation of that context. One that was freed is a
 * misuse. */
cl_int svm_check(cl_context context, const void *pointer, size_t size);
/* Lets this thread's command at its bytes. */
void svm_open(struct svm *svm);
void svm_close(struct svm *svm);
/* A buffer lies over it, or no longer. */
void svm_covered(struct svm *svm, bool is_covered);

#endif
