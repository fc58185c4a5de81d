/* SPDX-License-Identifier: MIT */
/* names.h - words for the values of trace_api and trace_kind, in their order. Also for the command,
 * which knows them where there are no tracers. */
#ifndef TRACERS_COMMON_NAMES_H
#define TRACERS_COMMON_NAMES_H

#define TRACE_API_NAMES  "opencl", "vulkan", "level_zero", "cuda", "hip"
#define TRACE_KIND_NAMES "kernel", "render", "copy", "fill", "map"

#endif
