/* select.h - which devices are meant by -d. */
#ifndef CLI_SELECT_H
#define CLI_SELECT_H

#include "cli/options/options.h"

typedef struct selected_device {
    kt_device_info info;
    bool named;     /* by the user, as itself or by its backend */
    bool yardstick; /* copies of others are held against those of this one */
    bool added;     /* for that alone */
} selected_device;

typedef struct cli_selection {
    selected_device *devices; /* freed by selection_free() */
    size_t count;
} cli_selection;

/* A context, with a sentence on what is wrong if there is none. EXIT_DONE or an exit code. */
int selection_create_context(const cli_options *options, kt_context **context);

/* The devices that the options name, each once; without any the real ones that are
 * here, of which there may be none. An exit code. */
int selection_make(kt_context *context, const cli_options *options, cli_selection *out);
/* A line about each library that the user has named in a variable and that no device is measured
 * with, where the devices were left to us: what is not here is no matter, but that was meant to
 * be. */
void selection_warn(kt_context *context, const cli_options *options);
/* Makes cpu:0 the yardstick of the others, if it is here, and one of these is real and another
 * device. */
int selection_add_yardstick(kt_context *context, cli_selection *selection);
void selection_free(cli_selection *selection);

#endif
