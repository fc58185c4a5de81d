/* SPDX-License-Identifier: MIT */
/*
 * runtime.h - what the stub uses of GNU's Objective-C runtime, declared here: its headers come with
 * a compiler's package, of one architecture, while the library alone is everywhere.
 */
#ifndef METAL_STUB_RUNTIME_H
#define METAL_STUB_RUNTIME_H

#include <stddef.h>

typedef void *id;
typedef void *Class;
typedef const void *SEL;
typedef void (*IMP)(void);

Class objc_allocateClassPair(Class super, const char *name, size_t extra_bytes);
void objc_registerClassPair(Class made);
id objc_getClass(const char *name);
Class class_getSuperclass(Class of);
SEL sel_registerTypedName(const char *name, const char *types);
IMP class_getMethodImplementation(Class of, SEL selector);
/* What is sent where a class has no method; NULL: the runtime's own complaint. The object is nil
 * where a method was only looked for. */
extern IMP (*__objc_msg_forward2)(id object, SEL selector);
/* One byte, as GNU's BOOL is. */
unsigned char class_respondsToSelector(Class of, SEL selector);
unsigned char class_addMethod(Class of, SEL selector, IMP function, const char *types);

#endif
