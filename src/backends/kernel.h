/* SPDX-License-Identifier: MIT */
/* kernel.h - what backends share that describe kernels or give them local memory. */
#ifndef KT_BACKENDS_KERNEL_H
#define KT_BACKENDS_KERNEL_H

#include "backend.h"

/* Says that the kernel has `count` parameters, and returns them zeroed, as unknown ones. NULL: the
 * host is out of memory. */
kt_parameter *kt_reflect_parameters(kt_reflection *reflection, uint32_t count);

/* KT_LIMIT, with a sentence, if a group of the step takes more local memory than `most` bytes: its
 * arguments and `declared` bytes of the kernel. 0: unknown. */
kt_status kt_check_local(const kt_backend_step *step, const char *entry, uint64_t declared,
                         uint64_t most);

#endif
