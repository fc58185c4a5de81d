/* SPDX-License-Identifier: MIT */
/* script.h - texts and numbers in a gnuplot script. */
#ifndef KT_OUTPUT_SCRIPT_H
#define KT_OUTPUT_SCRIPT_H

#include "output/writer.h"

/* Longest texts in characters: a legend, a device's name. */
#define KT_LABEL_MAX 28
#define KT_NAME_MAX  60
#define KT_CUT_BYTES 512 /* room for a text that was cut to 100 characters */

/* Number of characters, and length of the first ones in bytes. */
size_t kt_script_characters(const char *text);
size_t kt_script_bytes(const char *text, size_t characters);
/* Shorten a text of more than `max` characters, at most 100. In the middle: for ids of simulated
 * devices, which differ anywhere. At the end, behind a word: for texts. Return `out`. */
char *kt_cut_middle(char out[KT_CUT_BYTES], const char *text, size_t max);
char *kt_cut_end(char out[KT_CUT_BYTES], const char *text, size_t max);
/* Write the inside of a single-quoted string: so many bytes of a text, or one cut in the middle. */
void kt_put_script_bytes(kt_writer *writer, const char *text, size_t bytes);
void kt_put_script_text(kt_writer *writer, const char *text, size_t max);
/* Writes a number rounded to `decimals`. Independent of the locale, unlike printf(). */
void kt_put_decimals(kt_writer *writer, double value, int decimals);
/* Begins a text at a position of gnuplot's, moved by characters to the right and lines up. It ends
 * with "'\n". */
void kt_begin_script_label(kt_writer *writer, const char *at, double right, double up, int points);
/* Writes a blank and the value: a number, NaN, Inf or -Inf, as gnuplot reads them. */
void kt_put_value(kt_writer *writer, double value);

#endif
