/* select.h - selects the devices that -d names. */
#ifndef CLI_SELECT_H
#define CLI_SELECT_H

#include "cli/options/options.h"

typedef struct selected_device {
    kt_device_info info;
    bool named;     /* the user named the device or its backend */
    bool yardstick; /* the reference that copies of others are compared with */
    bool added;     /* selected as reference only, not by the user */
} selected_device;

typedef struct cli_selection {
    selected_device *devices; /* selected devices; selection_free() frees them */
    size_t count;
} cli_selection;

/* Creates a context. Returns EXIT_DONE, or another exit code after an error message. */
int selection_create_context(const cli_options *options, kt_context **context);

/* Selects the devices that the options name, each once; by default all real devices present,
 * possibly none. Returns an exit code. */
int selection_make(kt_context *context, const cli_options *options, cli_selection *out);
/* If the user chose no devices, warns about each library named in an environment variable that
 * provides no measured device. Other missing drivers need no warning. */
void selection_warn(kt_context *context, const cli_options *options);
/* Makes cpu:0 the reference device, if it is available and another real device is selected. */
int selection_add_yardstick(kt_context *context, cli_selection *selection);
void selection_free(cli_selection *selection);

#endif
