/* SPDX-License-Identifier: MIT */
/* stubbed.h - the first device of a stub driver on a simulated clock, which is the host's for
 * kerntime, too: minutes on the device are minutes for kerntime, and take no time. */
#ifndef STUBBED_H
#define STUBBED_H

#include "tests/unit/moods.h"

#include <kerntime/kerntime.h>

extern kt_context *context;
extern kt_device *device;
extern kt_result *measured; /* by the test, which need not destroy it */

/* A function of the stub's for tests, and where its address goes. */
typedef struct stub_symbol {
    const char *name;
    void *pointer;
} stub_symbol;

typedef struct stubbed_program {
    const char *title, *device;
    const stub_symbol *symbols;            /* ends with NULL */
    const struct CMUnitTest *const *lists; /* as run_mood() has them, over an open device */
    void (*clean_up)(void);                /* before that is closed */
} stubbed_program;

/* For main(): LIBRARY MOOD. kerntime opens the same library, or a loader does, so all see one
 * world. */
int stubbed_main(const stubbed_program *program, int argc, char **argv);

kt_status open_device(void);
void close_device(void);
int64_t stub_now(void);

#endif
