/* dl.h - opening drivers at run time, and the environment variables that choose them. */
#ifndef KT_SUPPORT_DL_H
#define KT_SUPPORT_DL_H

#include <kerntime/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Value of an environment variable, or NULL; always NULL where the process runs with others'
 * rights. */
const char *kt_environment(const char *name);

/*
 * Opens the driver that the variable names, first and only; without it the first of the
 * NULL-terminated `names` that the system's loader finds. The current folder is never searched.
 * KT_UNAVAILABLE with a sentence. A driver is never closed again: drivers keep threads and exit
 * handlers.
 */
kt_status kt_dl_open(const char *variable, const char *const *names, void **out);

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
