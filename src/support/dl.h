/* SPDX-License-Identifier: MIT */
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

/* 1 if a variable can name another library: WebAssembly has one, which is imported. */
#ifdef __wasi__
#define KT_DL_BY_VARIABLE 0
#else
#define KT_DL_BY_VARIABLE 1
#endif

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

/* As KT_DL_NAMES(), with one name elsewhere and others on macOS. */
#ifdef __APPLE__
#define KT_DL_NAMES_BY_SYSTEM(array, feature, description, elsewhere, ...) \
    KT_DL_NAMES(array, feature, description, __VA_ARGS__)
#else
#define KT_DL_NAMES_BY_SYSTEM(array, feature, description, elsewhere, ...) \
    KT_DL_NAMES(array, feature, description, elsewhere)
#endif

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

/*
 * Names of driver functions whose pointers follow each other in a table, as one text without
 * relocations: a library has hundreds. Lists of functions make them:
 *
 *     #define NAME(name) KT_DL_NAME(#name)
 *     static const char names[] = FUNCTIONS(NAME);
 */
#define KT_DL_NAME(name)     name "\0"
#define KT_DL_OPTIONAL(name) "?" name "\0"

/* Finds a function, for APIs whose drivers are asked for them. */
typedef void (*kt_dl_function)(void);
typedef kt_dl_function (*kt_dl_find)(const void *user, const char *name);

/* Fills `table` with pointers to all functions that `find` has. Returns the name of the first one
 * that is missing and not optional, or NULL. */
const char *kt_dl_fill(kt_dl_find find, const void *user, const char *names, void *table);
/* Name number `index` of such a text, from 0 on. */
const char *kt_dl_nth(const char *names, size_t index);

/* Fills `table` from an open library. KT_UNAVAILABLE: a function that is not optional is missing. */
kt_status kt_dl_load(void *library, const char *names, void *table);

#endif
