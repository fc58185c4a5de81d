/* SPDX-License-Identifier: MIT */
/* read_document.h - a report with everything in it, and its text, for tests of the reader. */
#ifndef READ_DOCUMENT_H
#define READ_DOCUMENT_H

#include <kerntime/kerntime.h>

typedef struct json_text {
    char data[1 << 18];
    size_t bytes;
} json_text;

/* Adds to the text; a sink's function. -1 if there is no room. */
int json_text_collect(void *to, const char *data, size_t bytes);
/* The text becomes the report's JSON. */
const json_text *json_text_write(json_text *to, const kt_report *report);

/* An empty report with words of all sorts in its command line. */
kt_report *document_begin(const char *kind);
/* One of everything: each key that there is stands in it with a value. */
kt_report *document_full(void);
/* Two devices: one with a state that has each value or why it is missing, and one without a state. */
kt_report *document_states(void);
/* As document_full(), with two more series that have a state and energy: its numbers, and a reason
 * why there are none. */
kt_report *document_measured(void);
/* A device, and a finding about it with each key that a finding has. */
kt_report *document_doctor(void);

#endif
