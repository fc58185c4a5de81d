/* SPDX-License-Identifier: MIT */
/*
 * Passes a NULL handle to Level Zero: what the validation layer must object to, or its silence
 * about kerntime tells nothing. Without the layer the driver follows the pointer.
 *
 *   null_handle          prints the code that it was answered
 *   null_handle here     only looks whether a driver is here
 *
 * Exits with 77 if none is, having said so. Needs no header of Level Zero.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SKIPPED 77

typedef uint32_t ze_init(uint32_t flags);
typedef uint32_t ze_context_destroy(void *context);

/* C has no conversion from void * to a function's address, POSIX has. */
#define SYMBOL(type, library, name)    \
    (union {                           \
        void *object;                  \
        type *function;                \
    }){.object = dlsym(library, name)} \
        .function

static int skip(const char *reason)
{
    printf("skipped: %s\n", reason);
    return SKIPPED;
}

int main(int argc, char **argv)
{
    void *loader = dlopen("libze_loader.so.1", RTLD_NOW);
    if (!loader)
        return skip("libze_loader.so.1 is not installed");
    ze_init *init = SYMBOL(ze_init, loader, "zeInit");
    ze_context_destroy *destroy = SYMBOL(ze_context_destroy, loader, "zeContextDestroy");
    if (!init || !destroy || init(0) != 0)
        return skip("Level Zero finds no driver that works without a GPU (libze_intel_gpu.so.1; "
                    "Debian 13 has none: conformance.level_zero_stub, level_zero_validated_*)");
    if (argc < 2 || strcmp(argv[1], "here") != 0)
        printf("0x%08x\n", (unsigned)destroy(NULL));
    return 0;
}
