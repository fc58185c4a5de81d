/* api.h - linkage of the public functions. Include any other kerntime header instead of this
 * one. */
#ifndef KERNTIME_API_H
#define KERNTIME_API_H

#if defined(__GNUC__)
#define KT_API __attribute__((visibility("default")))
#else
#define KT_API
#endif

#endif
