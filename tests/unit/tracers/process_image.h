/* SPDX-License-Identifier: MIT */
/* process_image.h - a process file made by hand: a device, two rows, a gap and a few events. */
#ifndef PROCESS_IMAGE_H
#define PROCESS_IMAGE_H

#include "tracers/common/process_file.h"

#define PROCESS_IMAGE_BYTES ((size_t)2 << 20)

/* Overwrites `image`, of PROCESS_IMAGE_BYTES, and returns what is used. */
size_t make_process_image(unsigned char *image);

/* The row "matmul" of an image. */
trace_file_row *process_image_row(unsigned char *image);

#endif
