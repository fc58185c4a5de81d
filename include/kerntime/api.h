/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Linkage of the public functions.
 *
 * Every other header includes this one; a program does not need to.
 */
#ifndef KERNTIME_API_H
#define KERNTIME_API_H

#if defined(__GNUC__)
/** Marks a function or variable that the shared library exports. */
#define KT_API __attribute__((visibility("default")))
#else
#define KT_API
#endif

#endif
