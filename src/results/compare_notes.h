/* compare_notes.h - what stands around the table of a comparison, and words that both have. */
#ifndef KT_RESULTS_COMPARE_NOTES_H
#define KT_RESULTS_COMPARE_NOTES_H

#include "compare.h"

/* How many rows are what, in one sentence. */
void kt_print_compare_whole(const kt_compare_document *document, const kt_style *style,
                            kt_writer *writer);
/* One sentence for each thing to know. `listed`: how many rows the table has; of the others it has those first that matter. */
void kt_print_compare_notes(const kt_compare_document *document, uint32_t listed,
                            const kt_style *style, kt_writer *writer);

/* Of either side: its name, variant, device and step are those of both. */
const kt_series *kt_compare_series(const kt_series_change *row);
/* How much of the device's id holds for both sides: of a simulated device with another scenario, what is before that. */
int kt_compare_device_length(const kt_series_change *row);
/* The id of the device that all rows are of; NULL: there are several, or no rows. */
const char *kt_compare_only_device(const kt_compare_document *document);
/* Of one of the rows what tells it from the others of its job; NULL: it is the only device time. */
const char *kt_compare_step(const kt_compare_document *document, const kt_series *series);

/* "+3.1 %", "-" for NaN; from a factor of ten on "x 11.2". As many decimals as show a tenth of the minimum effect, at least
 * one. Returns `text`; 32 bytes are enough. */
char *kt_change_text(double change, double min_effect, char *text, size_t bytes);
/* "+2.8 .. +3.4 %", "-" where an end is not known. 64 bytes are enough. */
char *kt_change_interval_text(double low, double high, double min_effect, char *text, size_t bytes);

#endif
