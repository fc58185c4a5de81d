/* SPDX-License-Identifier: MIT */
/*
 * json.h - parts shared by the documents of schema kerntime/1.
 *
 * Room output/json: documents as JSON. May know: support, report, output.
 */
#ifndef KT_OUTPUT_JSON_JSON_H
#define KT_OUTPUT_JSON_JSON_H

#include "output/formats.h"
#include "output/json_writer.h"
#include "report/document.h"

/* Prints the members from "schema" to "host". */
void kt_print_json_head(kt_json *json, const kt_document *document);
/* Print the members "devices" and "params". */
void kt_print_json_devices(kt_json *json, const kt_document *document);
void kt_print_json_params(kt_json *json, const kt_param *params, uint32_t count);

void kt_json_bool_member(kt_json *json, const char *key, bool value);
/* Prints an interval as an array of both ends, or null if the lower end is unknown. */
void kt_json_interval_member(kt_json *json, const char *key, double low, double high);

#endif
