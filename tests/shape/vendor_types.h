/* SPDX-License-Identifier: MIT */
/* What cuda_header.c and hip_header.c ask of api.h, each with the types of its vendor. */
#ifndef VENDOR_TYPES_H
#define VENDOR_TYPES_H

#include "backends/cuda_hip/api.h"

#define SAME(answer, symbol, parameters) \
    _Static_assert(_Generic(&symbol, answer(*) parameters : 1, default : 0), #symbol);
#define VALUE(own, theirs) _Static_assert((int)own == (int)theirs, #own);

/* ---- what our own types are in place of theirs ---- */

_Static_assert(sizeof(int) == sizeof(cuda_code), "codes are as wide as int");
_Static_assert(sizeof(int) == sizeof(cuda_ordinal), "devices are as wide as int");
_Static_assert(sizeof(int) == sizeof(cuda_attribute), "attributes are as wide as int");
_Static_assert(sizeof(int) == sizeof(cuda_function_attribute), "attributes are as wide as int");
_Static_assert(sizeof(int) == sizeof(cuda_jit_option), "options are as wide as int");
_Static_assert(sizeof(int) == sizeof(cuda_capture_status), "captures are as wide as int");
_Static_assert(sizeof(int) == sizeof(cuda_capture_mode), "captures are as wide as int");
_Static_assert(sizeof(uintptr_t) == sizeof(cuda_address), "addresses are as wide as pointers");

#endif
