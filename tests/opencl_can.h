/* SPDX-License-Identifier: MIT */
/* opencl_can.h - what the first OpenCL device of this system can do, asked of its driver by calls of
 * our own. Tests hold kerntime's answers against it, whatever driver of whatever version it is. */
#ifndef OPENCL_CAN_H
#define OPENCL_CAN_H

#include <stdbool.h>

/* The process outlives a kernel whose arguments are memories, then one cl_uint. Tried in a child, so
 * it is to be asked before any driver is opened. True if there is no device. */
bool opencl_can_run(const char *source, const char *entry);

/* Each of these ends the process if there is no device: ask once kerntime has found it. */

/* Timestamps of two commands at least 20 ms apart are at least 10 ms apart. */
bool opencl_can_tell_times(void);
/* clSVMAlloc returns memory to which clEnqueueSVMMemcpy copies. */
bool opencl_can_share_memory(void);
/* clGetDeviceAndHostTimer answers with two times. */
bool opencl_can_read_both_clocks(void);
/* What a command in the queue is yet to map may be unmapped by the next one. */
bool opencl_can_unmap_early(void);

#endif
