/* SPDX-License-Identifier: MIT */
/*
 * Our declarations of what macOS exports (src/backends/metal/objc.h), beside Apple's own headers:
 * compiled where those are, by scripts/check-macos.sh. With -DWRONG it has to fail. Metal has no C
 * header, so its messages cannot be held against one.
 */
#include <mach/mach_time.h>
#include <objc/message.h>
#include <objc/runtime.h>

#include "backends/metal/objc.h"

/* Clang's own, as its documentation of ARC declares them; no public header does. */
void *objc_autoreleasePoolPush(void);
void objc_autoreleasePoolPop(void *pool);

/* Ours is one type for both machines: only whether it is zero is looked at. */
_Static_assert(sizeof(objc_bool) == sizeof(BOOL), "objc_bool");
_Static_assert(sizeof(objc_timebase) == sizeof(struct mach_timebase_info) &&
                   offsetof(objc_timebase, numer) == offsetof(struct mach_timebase_info, numer) &&
                   offsetof(objc_timebase, denom) == offsetof(struct mach_timebase_info, denom),
               "objc_timebase");
_Static_assert(sizeof(size_t) == sizeof(unsigned long), "NSUInteger is unsigned long");

#ifdef WRONG
#define objc_timebase int
#else
#define objc_timebase struct mach_timebase_info
#endif

#define SAME(result, name, parameters) \
    _Static_assert(__builtin_types_compatible_p(__typeof__(&name), result(*) parameters), #name);
OBJC_FUNCTIONS(SAME)
