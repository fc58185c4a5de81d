/* script.h - texts and numbers in a gnuplot script. */
#ifndef KT_OUTPUT_SCRIPT_H
#define KT_OUTPUT_SCRIPT_H

#include "output/writer.h"

/* Longest texts in characters: a legend, a device's name, a driver. */
#define KT_LABEL_MAX  28
#define KT_NAME_MAX   44
#define KT_DRIVER_MAX 80

/* Writes the inside of a single-quoted string. Shortens a text of more than `max` characters in the
 * middle. */
void kt_put_script_text(kt_writer *writer, const char *text, size_t max);
/* Writes a number rounded to `decimals`. Independent of the locale, unlike printf(). */
void kt_put_decimals(kt_writer *writer, double value, int decimals);
/* Begins a text at a position of gnuplot's, moved by characters to the right and lines up. It ends
 * with "'\n". */
void kt_begin_script_label(kt_writer *writer, const char *at, double right, double up, int points);
/* Writes a blank and the value; NaN if it is not finite. */
void kt_put_value(kt_writer *writer, double value);

#endif
