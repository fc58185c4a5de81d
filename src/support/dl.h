/* dl.h - opens driver libraries at run time, and reads environment variables. */
#ifndef KT_SUPPORT_DL_H
#define KT_SUPPORT_DL_H

#include <kerntime/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Value of an environment variable; NULL if unset or empty, and always NULL in a set-user-ID
 * process. */
const char *kt_environment(const char *name);

/*
 * Opens a driver library, never from the current folder. If `variable` (may be NULL) is set, opens
 * only its value, an absolute path. Otherwise prefers the first of the NULL-terminated `names` that
 * is already loaded, then the first that the loader finds. KT_UNAVAILABLE with the reason.
 * Libraries stay open, since drivers leave threads and exit handlers behind.
 */
kt_status kt_dl_open(const char *variable, const char *const *names, void **out);

/*
 * Declares `array`, the library names of a driver for kt_dl_open(), the usual name first:
 *
 *     KT_DL_NAMES(library_names, "opencl", "Measuring OpenCL devices", "libOpenCL.so.1");
 *
 * Also stores the names as JSON in the ELF section .note.dlopen (specified by the UAPI group),
 * where packaging tools look for them. The names must be string literals, since macros are not
 * expanded.
 */
#define KT_DL_NAMES(array, feature, description, ...)       \
    static const char *const array[] = {__VA_ARGS__, NULL}; \
    KT_DL_NOTE(array##_note, KT_DL_JSON(feature, description, #__VA_ARGS__))

#define KT_DL_JSON(feature, description, sonames)                  \
    "[{\"feature\":\"" feature "\",\"description\":\"" description \
    "\",\"priority\":\"suggested\",\"soname\":[" sonames "]}]"

/* Each part of an ELF note is aligned to four bytes. Linkers keep notes. */
#if defined(__ELF__)
#define KT_DL_NOTE(variable, text)                                            \
    static const struct {                                                     \
        uint32_t owner_bytes, json_bytes, type;                               \
        char owner[4];                                                        \
        char json[sizeof(text)];                                              \
    } variable __attribute__((section(".note.dlopen"), used, aligned(4))) = { \
        4, sizeof(text), 0x407c0c0a, "FDO", text}
#else
#define KT_DL_NOTE(variable, text) _Static_assert(sizeof(text) > 1, "no notes but in ELF")
#endif

/* True if dlopen()'s message `reason` (Linux or macOS) says only that library `name` does not
 * exist. */
bool kt_dl_says_missing(const char *reason, const char *name);

/* A driver function, and the place of its pointer in a table. */
typedef struct kt_dl_symbol {
    const char *name;
    uint32_t offset; /* byte offset of the function pointer in the table */
    bool required;
} kt_dl_symbol;

/* Fills a table of function pointers. KT_UNAVAILABLE names the first missing required function. */
kt_status kt_dl_load(void *library, const kt_dl_symbol *symbols, size_t count, void *table);

#endif
