/* SPDX-License-Identifier: MIT */
/* rewrite FILE: reads a result file, and prints what was read as a result file. */
#include "cli/result_file/read_result.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    kt_report *report = NULL;
    char reason[READ_REASON_BYTES];
    if (argc != 2)
        return 2;
    if (read_result_file(argv[1], &report, reason) != 0) {
        fprintf(stderr, "%s: %s\n", argv[1], reason);
        return 2;
    }
    const kt_sink sink = kt_file_sink(stdout);
    kt_status status = kt_report_write(report, KT_FORMAT_JSON, &sink);
    kt_report_destroy(&report);
    return status == KT_OK ? 0 : 4;
}
