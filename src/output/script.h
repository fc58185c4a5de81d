/* script.h - texts and numbers in a script for gnuplot. */
#ifndef KT_OUTPUT_SCRIPT_H
#define KT_OUTPUT_SCRIPT_H

#include "output/writer.h"

/* The longest texts, in characters: a legend's, a device's name, a driver. */
#define KT_LABEL_MAX  28
#define KT_NAME_MAX   44
#define KT_DRIVER_MAX 80

/* The inside of a string in single quotes. Of a text of more than `max` characters the middle is
 * left out. */
void kt_put_script_text(kt_writer *writer, const char *text, size_t max);
/* printf() would write what the program's locale has for a point. */
void kt_put_decimals(kt_writer *writer, double value, int decimals);
/* Begins a text at a place of the figure, as shares of it from its left and lower sides; it ends
 * with "'\n". */
void kt_begin_script_label(kt_writer *writer, double x, double y, int points);
/* Behind a blank; NaN for what is not finite. */
void kt_put_value(kt_writer *writer, double value);

#endif
