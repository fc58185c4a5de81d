/* SPDX-License-Identifier: MIT */
#include "tests/unit/stubbed.h"

#include <dlfcn.h>
#include <stdio.h>

kt_context *context;
kt_device *device;
kt_result *measured;

static const stubbed_program *running;
static int64_t (*now)(void);
static void (*advance)(int64_t ns);

int64_t stub_now(void)
{
    return now();
}

/* Each look takes a moment, so whoever waits for a time has it come. */
static int64_t look(void *user)
{
    (void)user;
    advance(20);
    return now();
}

static void let_pass(void *user, int64_t duration_ns)
{
    (void)user;
    advance(duration_ns);
}

kt_status open_device(void)
{
    const kt_context_options options = {.size = sizeof options,
                                        .host_clock = {.now = look, .sleep = let_pass}};
    EXPECT_OK(kt_context_create(&context, &options));
    return kt_device_open(context, running->device, &device);
}

int set_up(void **state)
{
    EXPECT_OK(open_device());
    return 0;
}

int tear_down(void **state)
{
    kt_result_destroy(&measured);
    running->clean_up();
    close_device();
    return 0;
}

void close_device(void)
{
    kt_device_close(&device);
    kt_context_destroy(&context);
}

static bool load(const char *path, const stub_symbol *symbols)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    for (const stub_symbol *s = symbols; s->name && library; s++) {
        void *symbol = dlsym(library, s->name);
        if (!symbol)
            return false;
        memcpy(s->pointer, &symbol, sizeof symbol);
    }
    return library != NULL;
}

int stubbed_main(const stubbed_program *program, int argc, char **argv)
{
    const stub_symbol clock[] = {{"ktStubNow", &now}, {"ktStubAdvance", &advance}, {NULL, NULL}};
    if (argc != 3 || !load(argv[1], clock) || !load(argv[1], program->symbols)) {
        fprintf(stderr, "usage: %s LIBRARY MOOD\n", argv[0]);
        return 2;
    }
    running = program;
    return run_mood(program->title, program->lists, argv[2]);
}
