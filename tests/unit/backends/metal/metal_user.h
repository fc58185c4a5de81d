/* SPDX-License-Identifier: MIT */
/* metal_user.h - a Metal program as users write it, in C through the Objective-C runtime: its own
 * device, command buffers, passes and encoders, and timers of them. By declarations of its own, so
 * that the backend's are held against a second hand. */
#ifndef METAL_USER_H
#define METAL_USER_H

#include "tests/unit/testing.h"

#include <kerntime/kerntime.h>
#include <kerntime/timer/metal.h>
#include <stdint.h>

typedef enum user_kind { USER_COMPUTE = 0, USER_BLIT, USER_RENDER, USER_KIND_COUNT } user_kind;

/* What a program has; user_open() fills it. */
typedef struct user {
    struct {
        void *(*objc_getClass)(const char *name);
        void *(*sel_registerName)(const char *name);
        void *(*object_getClass)(void *object);
        void (*(*class_getMethodImplementation)(void *class, void *selector))(void);
        void *(*objc_autoreleasePoolPush)(void);
        void (*objc_autoreleasePoolPop)(void *pool);
        void *(*MTLCreateSystemDefaultDevice)(void);
        void *(*MTLCopyAllDevices)(void);
    } objc;
    /* Of the stub alone, else NULL: its clock, which moves on, and from now on commands take so
     * long (below 0: as scripted). */
    struct {
        int64_t (*now)(void);
        void (*advance)(int64_t ns);
        void (*take)(int64_t ns);
    } stub;
    void *library;
    void *device, *queue, *pipeline, *buffer;
} user;

/* False: there is no library at that path, or it has no device. */
bool user_open(user *u, const char *library);
void user_close(user *u);
/* What kerntime is told of it. */
kt_metal_import user_describe(const user *u);

void user_retain(const user *u, void *object);
void user_release(const user *u, void *object);

/* All that these hand out is the caller's to release. */
void *user_make_queue(const user *u);
void *user_commands(const user *u);
void *user_pass_descriptor(const user *u, user_kind kind);

/* An encoder, by a descriptor, or NULL: without (render passes always have one). */
void *user_begin(const user *u, void *commands, user_kind kind, void *descriptor);
/* A dispatch of so many groups, of some us each; a fill, or a draw, which is for the stub alone, as
 * there is no pipeline. */
void user_work(const user *u, void *encoder, user_kind kind, unsigned groups);
/* Ends and releases an encoder. */
void user_end(const user *u, void *encoder);
/* All three, with a single group. */
void user_pass(const user *u, void *commands, user_kind kind, void *descriptor);

/* Commits a command buffer; it stays the caller's. */
void user_commit(const user *u, void *commands);
/* Until it has ended. The program waits, not kerntime. */
void user_wait(const user *u, void *commands);

/* The sample buffer of a descriptor's first attachment, and another one in its place. */
void *user_sample_buffer(const user *u, void *descriptor);
void user_set_sample_buffer(const user *u, void *descriptor, void *buffer);
/* One of the program's own, of two samples. */
void *user_make_sample_buffer(const user *u);
/* Device number `index` of all; NULL: there are not so many. */
void *user_find_device(const user *u, unsigned long index);

#endif
