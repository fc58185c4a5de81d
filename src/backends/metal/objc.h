/* SPDX-License-Identifier: MIT */
/*
 * objc.h - the Objective-C runtime through its C functions, without Apple's headers. A message is a
 * call of the method that the object's class has for a selector, through a pointer of the method's
 * exact type. No call is variadic (arm64 passes variadic arguments elsewhere), and none returns a
 * structure (x86-64 needs another function for that).
 */
#ifndef KT_METAL_OBJC_H
#define KT_METAL_OBJC_H

#include <kerntime/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As in the system's headers: an object, a class (also an object), the name of a message, and a
 * method. */
typedef struct objc_object *objc_id;
typedef struct objc_class *objc_class;
typedef struct objc_selector *objc_selector;
typedef void (*objc_method)(void);
/* bool on arm64, signed char on x86-64: 0 is NO, anything else YES. */
typedef unsigned char objc_bool;

/* Timebase of mach_absolute_time(): a tick is numer / denom ns. */
typedef struct objc_timebase {
    uint32_t numer, denom;
} objc_timebase;

/* Functions of the Objective-C runtime's library and of the system library that it links. */
#define OBJC_FUNCTIONS(X)                                                                     \
    X(objc_class, objc_getClass, (const char *name))                                          \
    X(objc_selector, sel_registerName, (const char *name))                                    \
    X(objc_class, object_getClass, (objc_id object))                                          \
    X(objc_method, class_getMethodImplementation, (objc_class class, objc_selector selector)) \
    X(void *, objc_autoreleasePoolPush, (void))                                               \
    X(void, objc_autoreleasePoolPop, (void *pool))                                            \
    X(void, objc_setAssociatedObject,                                                         \
      (objc_id object, const void *key, objc_id value, uintptr_t policy))                     \
    X(uint64_t, mach_absolute_time, (void))                                                   \
    X(int, mach_timebase_info, (objc_timebase * out))

typedef struct objc_runtime {
#define OBJC_POINTER(result, name, parameters) result(*name) parameters;
    OBJC_FUNCTIONS(OBJC_POINTER)
#undef OBJC_POINTER
    objc_timebase timebase;
} objc_runtime;

/* Opens the library named by KERNTIME_LIB_OBJC, else the system's. KT_UNAVAILABLE, with an error
 * text. */
kt_status kt_metal_objc_open(objc_runtime *runtime);

/* Returns mach_absolute_time() in ns, the host clock of command-buffer times. */
int64_t kt_metal_uptime_ns(const objc_runtime *runtime);
/* Converts mach_absolute_time() ticks to ns. */
int64_t kt_metal_ticks_to_ns(const objc_runtime *runtime, uint64_t ticks);

/* Keeps `kept` alive at least until `owner` is deallocated. */
void kt_metal_keep(const objc_runtime *runtime, objc_id owner, objc_id kept);

/* Returns the method to call. NULL if `object` is nil, which answers 0 to every message. */
objc_method kt_metal_find_method(const objc_runtime *runtime, objc_id object,
                                 objc_selector selector);

#endif
