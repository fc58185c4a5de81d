/* dl.h - opening drivers at run time, and the environment variables that choose them. */
#ifndef KT_SUPPORT_DL_H
#define KT_SUPPORT_DL_H

#include <kerntime/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Value of an environment variable, or NULL; always NULL where the process runs with others'
 * rights. */
const char *kt_environment(const char *name);

/*
 * Opens the driver that the variable names, first and only; without it the first of the
 * NULL-terminated `names` that the process has loaded already, else the first that the system's
 * loader finds. The current folder is never searched. `variable` NULL: there is none.
 * KT_UNAVAILABLE with a sentence. A driver is never closed again: drivers keep threads and exit
 * handlers.
 */
kt_status kt_dl_open(const char *variable, const char *const *names, void **out);

/*
 * The names of a driver's library, the usual one first, as in
 *
 *     KT_DL_NAMES(library_names, "opencl", "Measuring OpenCL devices", "libOpenCL.so.1");
 *
 * which declares the array that kt_dl_open() takes. The same names go into a note of the finished
 * library or program, as JSON, where the tools of distributions find which drivers it may open
 * (section .note.dlopen, as the UAPI group specifies it). They must be string literals: of a macro
 * its own name would stand in the note.
 */
#define KT_DL_NAMES(array, feature, description, ...)       \
    static const char *const array[] = {__VA_ARGS__, NULL}; \
    KT_DL_NOTE(array##_note, KT_DL_JSON(feature, description, #__VA_ARGS__))

#define KT_DL_JSON(feature, description, sonames)                  \
    "[{\"feature\":\"" feature "\",\"description\":\"" description \
    "\",\"priority\":\"suggested\",\"soname\":[" sonames "]}]"

/* Each part of a note begins at a multiple of four bytes. Linkers keep notes, used or not. */
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

/* Whether the words of a system's loader, of Linux or of macOS, are that there is no library of
 * that name, and nothing else. */
bool kt_dl_says_missing(const char *why, const char *name);

/* One function of a driver and where its pointer goes. */
typedef struct kt_dl_symbol {
    const char *name;
    size_t offset; /* into the table */
    bool required;
} kt_dl_symbol;

/* Fills a table of function pointers. KT_UNAVAILABLE names the first required one that is
 * missing. */
kt_status kt_dl_load(void *library, const kt_dl_symbol *symbols, size_t count, void *table);

#endif
