/* SPDX-License-Identifier: MIT */
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
    kt_context *context;
    selected_device *devices; /* selected devices */
    size_t count;
} cli_selection;

/* Creates a context and selects the devices that the options name, each once; by default all real
 * devices present, possibly none. Returns EXIT_DONE, or another exit code after an error message.
 * Call selection_free() in any case. */
int selection_make(const cli_options *options, cli_selection *out);
/* True for a device that runs on the CPU, is not cpu:0, and was not named by the user. */
bool selection_is_software(const selected_device *device);
/* Where a GPU is selected, removes all software devices, with a message: they would take most of
 * the time. */
void selection_leave_out_software(cli_selection *selection, const cli_options *options);
/* Refuses an empty selection, with a message. Returns an exit code. */
int selection_check(const cli_selection *selection);
/* If the user chose no devices, warns about each library named in an environment variable that
 * provides no measured device. Other missing drivers need no warning. */
void selection_warn(const cli_selection *selection, const cli_options *options);
/* Unless the user chose devices, adds every backend to a report, with the reason for each missing
 * one. */
kt_status selection_list_backends(const cli_selection *selection, const cli_options *options,
                                  kt_report *report);
/* Makes cpu:0 the reference device, if it is available and another real device is selected. */
int selection_add_yardstick(cli_selection *selection);
/* Reads the place of this process among those of its launcher. Warns if a second launcher says that
 * there are more. False: no launcher. */
bool selection_read_launch(const cli_options *options, kt_launch *out);
/* Whether a launcher has started several ranks. Where it does not tell how many, a rank above 0
 * shows it: a batch script of Slurm, which has rank 0 alone, is none of several. */
bool launch_has_several(const kt_launch *launch);
/* Whether this process is one of them. */
bool launch_is_one_of_several(const cli_options *options);
void selection_free(cli_selection *selection);

#endif
