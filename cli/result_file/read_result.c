/* SPDX-License-Identifier: MIT */
#include "cli/result_file/read_result.h"

#include "cli/result_file/read_parts.h"
#include "cli/result_file/read_recorded.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA      "kerntime/"
#define SCHEMA_READ 1

/* Largest file that is read. A million samples with their raw timestamps take a third of it. */
#define FILE_BYTES_MAX ((size_t)1 << 30)

/* Limits on the number of parts, because each device is compared with the earlier ones, each
 * diagnostic with all devices, and each series with all baselines. */
#define DEVICES_MAX     1024
#define DIAGNOSTICS_MAX 16384
#define BASELINES_MAX   16384

void read_check(json_reader *r, kt_status status)
{
    if (status == KT_NO_MEMORY)
        read_run_out(r);
    else if (status != KT_OK)
        read_refuse(r, "%s", kt_error_text());
}

/* ---- diagnostics of a document "doctor" ---- */

WORDS_OF(severity)

static kt_diagnostic_value *read_values(json_reader *r, uint32_t *count)
{
    read_enter(r, "values", READ_ALONE);
    *count = (uint32_t)read_count(r);
    kt_diagnostic_value *values = read_alloc(r, *count, sizeof *values);
    void *member = NULL;
    for (kt_diagnostic_value *value = values;
         values && (member = read_next_number(r, member, &value->name, &value->value)) != NULL;
         value++)
        ;
    read_leave(r);
    return values;
}

static void read_diagnostic(json_reader *r, kt_report *report)
{
    kt_diagnostic diagnostic = {
        .device = read_text(r, "device", READ_ALONE),
        .check = read_text(r, "check", READ_ALONE),
        .severity = (kt_severity)read_word(r, "severity", READ_ALONE, severity_word, 0),
        .seen = read_text(r, "seen", READ_ALONE),
        .means = read_text_or_null(r, "means"),
        .advice = read_text_or_null(r, "advice"),
    };
    kt_diagnostic_value *values = read_values(r, &diagnostic.value_count);
    diagnostic.values = values;
    if (!r->failed)
        read_check(r, kt_report_add_diagnostic(report, &diagnostic));
    free(values);
}

/* ---- the head ---- */

static void check_schema(json_reader *r)
{
    if (!read_has(r, "schema")) {
        read_refuse(r, "it is not a result file of kerntime: \"schema\" is missing");
        return;
    }
    const char *schema = read_text(r, "schema", READ_ALONE);
    if (!schema)
        return;
    const char *number = schema + strlen(SCHEMA);
    if (strncmp(schema, SCHEMA, strlen(SCHEMA)) != 0 || !*number || *number == '0' ||
        number[strspn(number, "0123456789")])
        read_refuse(r, "it is not a result file of kerntime: its schema is \"%.40s\"", schema);
    else if (strcmp(number, "1") != 0)
        read_refuse(r,
                    "it was written by a newer kerntime: its schema is \"%.40s\", and this version "
                    "reads " SCHEMA "%d",
                    schema, SCHEMA_READ);
}

static const char *read_document(json_reader *r)
{
    static const char *const known[] = {"result", "devices", "doctor"};
    const char *document = read_text(r, "document", READ_ALONE);
    for (size_t i = 0; document && i < sizeof known / sizeof known[0]; i++)
        if (strcmp(document, known[i]) == 0)
            return document;
    if (document && strcmp(document, "compare") == 0)
        read_refuse(r, "it is a comparison, not a result");
    else if (document && strcmp(document, "fleet") == 0)
        read_refuse(r, "it is what \"kerntime fleet\" found, not a result");
    else if (document && strcmp(document, "registry") == 0)
        read_refuse(r, "it is what a program recorded of itself (a registry), not a result");
    else if (document && strcmp(document, "trace") == 0)
        read_refuse(r, "it is of kerntime trace, which writes its other formats itself");
    else if (document)
        read_refuse(r, "\"document\" is \"%.40s\", which is none of result, devices and doctor",
                    document);
    return document;
}

static void read_origin(json_reader *r, kt_report_origin *origin)
{
    origin->version = read_text(r, "version", READ_ALONE);
    origin->id = read_has(r, "document_id") ? read_text(r, "document_id", READ_ALONE) : NULL;
    origin->started = read_text(r, "started", READ_ALONE);
    read_host(r, origin);
}

void read_host(json_reader *r, kt_report_origin *origin)
{
    read_enter(r, "host", READ_ALONE);
    origin->host = read_has(r, "name") ? read_text(r, "name", READ_ALONE) : NULL;
    origin->boot_id = read_has(r, "boot_id") ? read_text(r, "boot_id", READ_ALONE) : NULL;
    origin->os = read_text(r, "os", READ_ALONE);
    origin->cpu = read_text_or_null(r, "cpu");
    origin->cores = (uint32_t)read_whole(r, "cores", 0, UINT32_MAX);
    origin->clock = read_text(r, "clock", READ_ALONE);
    read_leave(r);
}

static uint32_t read_launch_count(json_reader *r, const char *key)
{
    if (read_is_null(r, key))
        return KT_LAUNCH_UNKNOWN;
    return (uint32_t)read_whole(r, key, 0, KT_LAUNCH_UNKNOWN - 1);
}

void read_launch(json_reader *r, kt_report_origin *origin, kt_launch *launch)
{
    *launch = (kt_launch){0};
    if (!read_has(r, "launch") || read_is_null(r, "launch"))
        return;
    read_enter(r, "launch", READ_ALONE);
    launch->rank = (uint32_t)read_whole(r, "rank", 0, KT_LAUNCH_UNKNOWN - 1);
    launch->size = read_launch_count(r, "size");
    if (!r->failed && launch->rank >= launch->size)
        read_refuse(r, "\"rank\" is %" PRIu32 ", and \"size\" is %" PRIu32, launch->rank,
                    launch->size);
    launch->local_rank = read_launch_count(r, "local_rank");
    launch->local_size = read_launch_count(r, "local_size");
    read_chars_or_null(r, "job", launch->job, sizeof launch->job);
    read_chars_or_null(r, "node", launch->node, sizeof launch->node);
    read_chars(r, "variable", launch->variable, sizeof launch->variable);
    read_leave(r);
    origin->launch = launch;
}

static kt_report *read_head(json_reader *r)
{
    kt_report_origin origin = {0};
    kt_launch launch;
    kt_report_desc desc = {.size = sizeof desc, .origin = &origin};
    check_schema(r);
    desc.document = read_document(r);
    read_origin(r, &origin);
    read_launch(r, &origin, &launch);
    desc.command_count = (uint32_t)read_list(r, "command", UINT32_MAX);
    const char **command = read_alloc(r, desc.command_count, sizeof *command);
    for (uint32_t i = 0; command && i < desc.command_count; i++)
        command[i] = read_text(r, "command", i);
    desc.command = command;
    kt_report *report = NULL;
    if (!r->failed)
        read_check(r, kt_report_create(&report, &desc));
    free(command);
    return report;
}

static void read_backend(json_reader *r, kt_report *report)
{
    kt_backend_info info = {
        .name = read_text(r, "name", READ_ALONE),
        .device_count = (uint32_t)read_whole(r, "devices", 0, UINT32_MAX),
    };
    const char *missing = read_text_or_null(r, "missing");
    info.status = missing ? KT_UNAVAILABLE : KT_OK;
    info.reason = missing ? missing : "";
    if (!r->failed)
        read_check(r, kt_report_add_backend(report, &info));
}

/* ---- the document ---- */

static void read_all(json_reader *r, const char *key, size_t most,
                     void (*read_item)(json_reader *r, kt_report *report), kt_report *report)
{
    size_t count = read_list(r, key, most);
    for (size_t i = 0; i < count && !r->failed; i++) {
        read_enter(r, key, i);
        read_item(r, report);
        read_leave(r);
    }
}

/* Whether the text begins like a JSON object. */
static bool is_json(const char *text, size_t bytes)
{
    size_t at = 0;
    while (at < bytes && strchr(" \t\r\n", text[at]) && text[at])
        at++;
    return at < bytes && (text[at] == '{' || text[at] == '[');
}

/* Parses a JSON text. NULL after a failure, whose code goes to `result`. */
static json_t *parse(const char *text, size_t bytes, char *reason, int *result)
{
    json_error_t error;
    json_t *document = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
    if (document)
        return document;
    *result = READ_REFUSED;
    if (!error.text[0]) { /* the one case without a message from jansson */
        snprintf(reason, READ_REASON_BYTES, "out of memory");
        *result = READ_NO_MEMORY;
    } else if (!bytes)
        snprintf(reason, READ_REASON_BYTES, "it is empty");
    else if (!is_json(text, bytes))
        snprintf(reason, READ_REASON_BYTES, "it is not JSON (line %d, column %d: %s)", error.line,
                 error.column, error.text);
    else if (json_error_code(&error) == json_error_premature_end_of_input ||
             (size_t)error.position == bytes) /* within a word or number */
        snprintf(reason, READ_REASON_BYTES, "it is not complete (line %d, column %d: %s)",
                 error.line, error.column, error.text);
    else
        snprintf(reason, READ_REASON_BYTES, "line %d, column %d: %s", error.line, error.column,
                 error.text);
    read_make_printable(reason);
    return NULL;
}

static kt_report *read_document_of_kerntime(json_reader *r)
{
    kt_report *report = read_head(r);
    if (read_has(r, "backends"))
        read_all(r, "backends", DEVICES_MAX, read_backend, report);
    read_all(r, "devices", DEVICES_MAX, read_device, report);
    if (report && strcmp(kt_report_get_desc(report)->document, "doctor") == 0)
        read_all(r, "diagnostics", DIAGNOSTICS_MAX, read_diagnostic, report);
    read_all(r, "series", ANY_SIZE, read_series, report);
    if (r->is_brief)
        read_list(r, "baselines", BASELINES_MAX);
    else
        read_all(r, "baselines", BASELINES_MAX, read_baseline, report);
    return report;
}

/* What a document is, whether or not it can be read. */
static read_kind find_kind(const json_t *document)
{
    const char *name = json_string_value(json_object_get(document, "document"));
    if (json_object_get(document, "traceEvents"))
        return READ_TRACE;
    if (name && strcmp(name, "trace") == 0)
        return READ_TRACED;
    return name && strcmp(name, "registry") == 0 ? READ_REGISTRY : READ_RESULT;
}

/* Why a document was refused. */
static int refusal_of(const json_t *document)
{
    const char *schema = json_string_value(json_object_get(document, "schema"));
    const char *name = json_string_value(json_object_get(document, "document"));
    if (!schema || strncmp(schema, SCHEMA, strlen(SCHEMA)) != 0)
        return json_object_get(document, "traceEvents") ? READ_REFUSED : READ_OTHER;
    return !name                          ? READ_REFUSED
           : strcmp(name, "fleet") == 0   ? READ_FLEET
           : strcmp(name, "compare") == 0 ? READ_OTHER
                                          : READ_REFUSED;
}

static int read_text_of(const char *text, size_t bytes, bool is_brief, read_kind *kind,
                        kt_report **out, char *reason)
{
    int result = READ_DONE;
    json_t *document = parse(text, bytes, reason, &result);
    if (!document)
        return result;
    json_reader r = read_begin(document, reason);
    r.is_brief = is_brief;
    read_kind found = kind ? find_kind(document) : READ_RESULT;
    if (found == READ_REGISTRY || found == READ_TRACED)
        check_schema(&r);
    kt_report *report = found == READ_TRACE      ? read_trace(&r)
                        : found == READ_TRACED   ? read_traced(&r)
                        : found == READ_REGISTRY ? read_registry(&r)
                                                 : read_document_of_kerntime(&r);
    if (r.failed)
        result = r.no_memory ? READ_NO_MEMORY : refusal_of(document);
    json_decref(document);
    if (kind && !r.failed)
        *kind = found;
    if (r.failed)
        kt_report_destroy(&report);
    else
        *out = report;
    return result;
}

/* Copies the text with the lists of samples left empty. A list of anything but numbers stays. NULL:
 * out of memory. */
static char *leave_out_samples(const char *text, size_t *bytes)
{
    static const char key[] = "\"samples_ns\"";
    char *copy = malloc(*bytes + 1), *to = copy;
    if (!copy)
        return NULL;
    memcpy(copy, text, *bytes);
    copy[*bytes] = '\0';
    const char *at = copy, *end = copy + *bytes;
    for (const char *found; (found = strstr(at, key)) != NULL;) {
        const char *list = found + strlen(key);
        list += strspn(list, ": \t\r\n");
        list += *list == '[';
        const char *behind = list + strspn(list, "0123456789.,+-eE \t\r\n");
        size_t kept = (size_t)(list - at);
        memmove(to, at, kept);
        to += kept;
        at = list[-1] == '[' && *behind == ']' ? behind : list;
    }
    memmove(to, at, (size_t)(end - at));
    *bytes = (size_t)(to + (end - at) - copy);
    return copy;
}

int read_medians_text(const char *text, size_t bytes, read_kind *kind, kt_report **out,
                      char *reason)
{
    size_t left = bytes;
    char *brief = leave_out_samples(text, &left);
    int result = brief ? read_text_of(brief, left, true, kind, out, reason) : READ_NO_MEMORY;
    free(brief);
    /* What is wrong is said of the text as it is. */
    return result == READ_DONE ? result : read_text_of(text, bytes, false, kind, out, reason);
}

int read_result_text(const char *text, size_t bytes, kt_report **out, char *reason)
{
    return read_text_of(text, bytes, false, NULL, out, reason);
}

int read_times_text(const char *text, size_t bytes, read_kind *kind, kt_report **out, char *reason)
{
    return read_text_of(text, bytes, false, kind, out, reason);
}

/* Loads the whole file; the caller frees it. NULL after a failure, whose code goes to `result`. */
static char *load(FILE *file, size_t *bytes, char *reason, int *result)
{
    char *text = NULL;
    size_t room = 0, got;
    *bytes = 0;
    *result = READ_REFUSED;
    do {
        if (*bytes == room) {
            room = room ? 2 * room : 1 << 16;
            bool too_large = room > FILE_BYTES_MAX;
            char *longer = too_large ? NULL : realloc(text, room);
            if (!longer) {
                snprintf(reason, READ_REASON_BYTES,
                         too_large ? "it is larger than 1 GiB: measure without --raw, or fewer "
                                     "samples"
                                   : "out of memory");
                *result = too_large ? READ_REFUSED : READ_NO_MEMORY;
                free(text);
                return NULL;
            }
            text = longer;
        }
        got = fread(text + *bytes, 1, room - *bytes, file);
        *bytes += got;
    } while (got);
    if (ferror(file)) {
        *result = errno == EISDIR ? READ_OTHER : READ_REFUSED;
        snprintf(reason, READ_REASON_BYTES, "it cannot be read: %s", strerror(errno));
        free(text);
        return NULL;
    }
    return text;
}

typedef int (*text_reader)(const char *text, size_t bytes, read_kind *kind, kt_report **out,
                           char *reason);

static int read_file(const char *path, text_reader read, read_kind *kind, kt_report **out,
                     char *reason)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        snprintf(reason, READ_REASON_BYTES, "it cannot be opened: %s", strerror(errno));
        return READ_REFUSED;
    }
    size_t bytes;
    int result;
    char *text = load(file, &bytes, reason, &result);
    fclose(file);
    if (text)
        result = read(text, bytes, kind, out, reason);
    free(text);
    return result;
}

int read_result_file(const char *path, kt_report **out, char *reason)
{
    return read_file(path, read_times_text, NULL, out, reason);
}

int read_times_file(const char *path, read_kind *kind, kt_report **out, char *reason)
{
    return read_file(path, read_times_text, kind, out, reason);
}

int read_medians_file(const char *path, read_kind *kind, kt_report **out, char *reason)
{
    return read_file(path, read_medians_text, kind, out, reason);
}
