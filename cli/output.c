#include "output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_standard_output(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

int output_check(const cli_options *options)
{
    if (!options->json || is_standard_output(options->json) ||
        kt_path_check_writable(options->json) == KT_OK)
        return EXIT_DONE;
    fprintf(stderr, "kerntime: --json: %s\n", kt_error_text());
    return EXIT_USAGE;
}

static int write_to_stream(void *user, const char *data, size_t bytes)
{
    return fwrite(data, 1, bytes, user) == bytes ? 0 : -1;
}

static bool write_standard_output(const kt_report *report, kt_format format)
{
    kt_sink sink = {.write = write_to_stream, .user = stdout};
    if (kt_report_write(report, format, &sink) == KT_OK && fflush(stdout) == 0)
        return true;
    fprintf(stderr, "kerntime: standard output: the result could not be written\n");
    return false;
}

static void print_raw_series(const kt_series *series)
{
    for (size_t i = 0; i < series->raw_count; i++) {
        const kt_raw *raw = &series->raw[i];
        printf("raw %s %s %s %zu %s", series->name, series->device, series->step, i,
               kt_stamp_state_name(raw->state));
        if (raw->has_queue_stamps)
            printf(" queued=%" PRIu64 " submitted=%" PRIu64, raw->queued_ticks,
                   raw->submitted_ticks);
        if (raw->has_stamps)
            printf(" start=%" PRIu64 " end=%" PRIu64, raw->start_ticks, raw->end_ticks);
        printf(" host_before_ns=%" PRId64 " host_after_ns=%" PRId64 "\n", raw->host_before_ns,
               raw->host_after_ns);
    }
}

int output_write(const cli_options *options, const kt_report *report)
{
    bool json_to_stdout = is_standard_output(options->json);
    int code = EXIT_DONE;
    /* The file first: whoever reads the table may end before it does, and a closed pipe ends the
     * program. */
    if (options->json && !json_to_stdout &&
        kt_report_write_file(report, KT_FORMAT_JSON, options->json) != KT_OK) {
        fprintf(stderr, "kerntime: --json: %s\n", kt_error_text());
        code = EXIT_FAILED;
    }
    if (!write_standard_output(report, json_to_stdout ? KT_FORMAT_JSON : KT_FORMAT_TABLE))
        code = EXIT_FAILED;
    for (uint32_t i = 0; options->raw && !json_to_stdout && i < kt_report_series_count(report); i++)
        print_raw_series(kt_report_series(report, i));
    return code;
}

kt_report_desc output_describe(const cli_options *options, const char *document)
{
    return (kt_report_desc){.size = sizeof(kt_report_desc),
                            .document = document,
                            .command = options->words,
                            .command_count = options->word_count};
}
